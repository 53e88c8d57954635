import { describe, expect, it } from "vitest";
import { FormatError } from "../format-error.js";
import { Global, Opaque, readPickle } from "./pickle.js";

const none = { persistent: (id: unknown): unknown => ({ id }), call: (): unknown => undefined };
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const read = (text: string): unknown => readPickle(bytesOf(text), "x.pkl", none);

describe("readPickle", () => {
  it("reads what protocol 2 writes", () => {
    // {"a": [1, 300, -5, 2.5, None, True], "b": (7, 2**40)}
    const pickle =
      "\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01]q\x02(K\x01M,\x01J\xfb\xff\xff\xffG@\x04\x00\x00\x00\x00\x00\x00N\x88e" +
      "X\x01\x00\x00\x00bq\x03K\x07\x8a\x06\x00\x00\x00\x00\x00\x01\x86q\x04u.";
    expect(read(pickle)).toEqual(
      new Map<string, unknown>([
        ["a", [1, 300, -5, 2.5, null, true]],
        ["b", [7, 2 ** 40]],
      ]),
    );
  });

  it("reads frames and memos of protocol 4", () => {
    // ["x", "x"], the second from the memo
    expect(read("\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x01x\x94h\x01e.")).toEqual(["x", "x"]);
  });

  it("calls nothing: names and calls stay what they are", () => {
    const value = read("cos\nsystem\n(X\x02\x00\x00\x00lstR.") as Opaque;
    expect(value).toBeInstanceOf(Opaque);
    expect(value.callee).toEqual(new Global("os", "system"));
    expect(value.args).toEqual(["ls"]);
  });

  it("asks for what persistent ids stand for", () => {
    expect(read("X\x01\x00\x00\x00kQ.")).toEqual({ id: "k" });
  });

  it("keeps keys like __proto__ as keys", () => {
    expect(read("}X\x09\x00\x00\x00__proto__K\x01s.")).toEqual(new Map([["__proto__", 1]]));
  });

  it.each<[string, string, RegExp]>([
    ["an empty stack", ".", /takes more from its stack/],
    ["no end", "K\x01", /bytes were expected/],
    ["no mark", "K\x01t.", /needs a mark/],
    ["an unknown memo", "h\x05.", /refers to value 5/],
    ["an old opcode", "I1\n.", /opcode 0x49 at 0/],
    ["text longer than the file", "X\xff\xff\xff\x7fa.", /bytes were expected/],
    ["items for no dict", "K\x01K\x02K\x03s.", /puts items into something/],
  ])("refuses %s", (_, text, message) => {
    expect(() => read(text)).toThrow(FormatError);
    expect(() => read(text)).toThrow(message);
  });
});
