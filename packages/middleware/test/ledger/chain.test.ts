import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHAIN_BEGIN, isSealedAfter, readSeal, seal } from "../../src/ledger/chain.js";

const HASH = "ab".repeat(32);

describe("a seal", () => {
  it("is the number, then SHA-256 of the hash before and of the line with its number", () => {
    const { text, head } = seal('{"v":1}', { seq: 6, hash: HASH });
    const expected = createHash("sha256").update(`${HASH}{"v":1,"seq":7}`).digest("hex");
    expect(text).toBe(`{"v":1,"seq":7,"hash":"${expected}"}`);
    expect(head).toEqual({ seq: 7, hash: expected });
  });

  it("begins after 64 zeros", () => {
    expect(CHAIN_BEGIN).toEqual({ seq: 0, hash: "0".repeat(64) });
  });

  it("is read as it was made, after the hash before it and no other, whatever the line holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (tool, seq) => {
        const sealed = seal(JSON.stringify({ v: 1, tool }), { seq, hash: HASH });
        const read = readSeal(sealed.text);
        expect(read).toMatchObject(sealed.head);
        if (read === null) return;
        expect(isSealedAfter(HASH, read)).toBe(true);
        expect(isSealedAfter(CHAIN_BEGIN.hash, read)).toBe(false);
        expect(JSON.parse(sealed.text)).toEqual({ v: 1, tool, ...sealed.head });
      }),
    );
  });

  it.each([
    ["a line without one", '{"v":1}'],
    ["one in a member", `{"v":1,"input":{"seq":1,"hash":"${HASH}"}}`],
    ["one of text", `{"v":1,"input":",\\"seq\\":1,\\"hash\\":\\"${HASH}\\"}"}`],
    ["capital letters", `{"v":1,"seq":1,"hash":"${HASH.toUpperCase()}"}`],
    ["a short hash", `{"v":1,"seq":1,"hash":"${HASH.slice(1)}"}`],
    ["a number with a zero before it", `{"v":1,"seq":01,"hash":"${HASH}"}`],
    ["something behind it", `{"v":1,"seq":1,"hash":"${HASH}"} `],
  ])("is not read from %s", (_, text) => {
    expect(readSeal(text)).toBeNull();
  });
});
