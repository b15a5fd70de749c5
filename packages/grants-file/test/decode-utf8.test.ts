import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "../src/decode-utf8.js";

describe("decodeUtf8", () => {
  it.each([
    ["bytes that no character begins with", [0xff, 0xfe], ""],
    ["a character cut off at the end", [0x5b, 0xc3, 0xa9, 0xe2, 0x82], "[é"],
    ["an overlong form", [0x61, 0xc0, 0x80], "a"],
    ["an encoded surrogate", [0x61, 0xed, 0xa0, 0x80], "a"],
    ["after a replacement character that really stands there", [0xef, 0xbf, 0xbd, 0x80], "\ufffd"],
  ])("gives the text before %s", (_name, bytes, before) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toEqual({ kind: "invalid", before });
  });

  it("keeps a byte order mark", () => {
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x5b))).toEqual({ kind: "text", text: "\ufeff[" });
  });
});
