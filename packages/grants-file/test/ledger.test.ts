import { describe, expect, it } from "vitest";
import { ledgerText, readLedger } from "../src/ledger.js";
import { foreignEntry } from "./support/stores.js";

const encode = (text: string) => new TextEncoder().encode(text);
const good = '{"id":"x","tool":"t","verdict":"Allow","scope":"this_tool","created_at_ms":5}';

describe("readLedger", () => {
  it.each([
    ["an empty file", "", 1, 1, "a value"],
    ["blanks only", "\n ", 2, 2, "a value"],
    ["an object", "{}", 1, 1, "an array"],
    ["a comment", `[${good}\n // mine\n]`, 2, 2, '","'],
    ["a trailing comma", `[\n  ${good},\n]`, 3, 1, "a value"],
    ["text after the array", "[] []", 1, 4, "the end"],
    ["a byte order mark", "\ufeff[]", 1, 1, "a value"],
    ["half a file", `[${good.slice(0, 18)}`, 1, 20, "the end of the string"],
    ["an entry that is a number", `[${good},\n\n 7]`, 3, 2, "entry 2"],
    ["an entry without most fields", '[{"id":"x"}]', 1, 2, "tool"],
    ["a verdict in small letters", `[${good.replace("Allow", "allow")}]`, 1, 2, "verdict"],
    ["no created_at_ms", `[${good.replace(',"created_at_ms":5', "")}]`, 1, 2, "created_at_ms"],
    ["a negative created_at_ms", `[${good.replace(":5", ":-5")}]`, 1, 2, "created_at_ms"],
    ["an unknown scope", `[${good.replace("this_tool", "this_session")}]`, 1, 2, "scope"],
    ["a this_call scope without args", `[${good.replace('"this_tool"', '{"this_call":{}}')}]`, 1, 2, "args"],
    ["a repeated field", `[${good.replace("}", ',"verdict":"Deny"}')}]`, 1, 2, "verdict"],
    [
      "a repeated this_call",
      `[${good.replace('"this_tool"', '{"this_call":{"args":1},"this_call":{"args":2}}')}]`,
      1,
      2,
      "this_call",
    ],
    ["repeated args", `[${good.replace('"this_tool"', '{"this_call":{"args":1,"args":2}}')}]`, 1, 2, "args"],
    [
      "a number beyond binary64",
      `[${good.replace('"this_tool"', '{"this_call":{"args":1e400}}')}]`,
      1,
      2,
      "args",
    ],
    [
      "a lone surrogate",
      `[${good.replace('"this_tool"', String.raw`{"this_call":{"args":"\ud800"}}`)}]`,
      1,
      2,
      "args",
    ],
  ])("calls %s damaged, and says where", (_name, text, line, column, problem) => {
    expect(readLedger(encode(text))).toEqual({
      kind: "damaged",
      position: { line, column },
      problem: expect.stringContaining(problem),
    });
  });

  it("names the place of the first byte that is no UTF-8", () => {
    const reading = readLedger(Uint8Array.of(0x5b, 0x0a, 0x20, 0xff, 0x5d));
    expect(reading).toEqual({ kind: "damaged", position: { line: 2, column: 2 }, problem: "not UTF-8" });
  });

  it("takes a ledger as other hosts lay it out, and gives back the same bytes", () => {
    const text = `\n[\n  ${foreignEntry("a")} ,\r\n\t${foreignEntry("b", { note: "é \u2028 😀" })}\n]\n`;
    const reading = readLedger(encode(text));
    if (reading.kind === "damaged") throw new Error(reading.problem);
    expect(ledgerText(reading.ledger)).toBe(text);
    expect(
      reading.ledger.entries.map(({ grant }) => [grant.id, grant.note, grant.pinned_descriptor]),
    ).toEqual([
      ["a", null, null],
      ["b", "é \u2028 😀", null],
    ]);
  });

  it.each([
    ["1", true],
    ["1.0", false],
    ["1e2", false],
    ["-0", false],
    ["0.10", true],
    ["1e-7", true],
    ["9007199254740991", true],
    ["9007199254740992", true],
    ["9007199254740993", false],
    ["18446744073709551615", false],
    ["100000000000000000000", true],
    ['{"b":[ 1.5 ],"a":"1.0"}', true],
    ['{"b":1.0,"b":1}', true],
    ['{"b":1,"b":1.0}', false],
    [String.raw`"\u00e9 \/"`, true],
  ])("knows whether JavaScript keeps the arguments %s", (args, exact) => {
    const entry = good
      .replace('"this_tool"', ` { "this_call" : {"args": ${args} ,"new":1.0} } `)
      .replace('"scope"', String.raw`"sc\u006fpe"`);
    expect(readLedger(encode(`[${entry}]`))).toMatchObject({
      kind: "ledger",
      ledger: { entries: [{ exact }] },
    });
  });

  it("does not mind number spellings outside the arguments", () => {
    const reading = readLedger(encode(`[${good.replace("}", ',"size":1.0}')}]`));
    expect(reading).toMatchObject({ kind: "ledger", ledger: { entries: [{ exact: true }] } });
  });
});
