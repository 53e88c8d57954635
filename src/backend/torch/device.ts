/// <reference lib="esnext.disposable" preserve="true" />
import { Dynamic } from "../../core/dynamic.js";
import { addon } from "./library.js";

const current = new Dynamic("cpu");

/** Name of the device on which new values are made, as libtorch spells it: "cpu" unless a program asked for another. */
export const currentDevice = (): string => current.get();
/** The devices there are: "cuda" where libtorch was built for it and finds a GPU. */
export const devices = (): readonly string[] => (addon.cudaAvailable() ? ["cpu", "cuda", "gpu"] : ["cpu"]);
/** Makes new values on one of `devices()` until the result is disposed. */
export const enterDevice = (name: string): Disposable => current.enter(name === "gpu" ? "cuda" : name);
