import { Layer } from "../layers/layer.js";

/** A layer that can be trained. */
export abstract class Trainer extends Layer {}
