import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";
import { harmlessOnly, type ShellTool, triedPolicies } from "./support/policies.js";
import { shapes, templates } from "./support/shapes.js";

/** Far more than any 10 kB takes on a slow and busy machine. */
const CEILING_MS = 2000;
const SIZE = 10_000;
const TOOLS: readonly ShellTool[] = ["Bash", "Shell"];

function judgesInTime(text: string): void {
  for (const tool of TOOLS) {
    const start = performance.now();
    const effect = harmlessOnly.effectOf(tool, text);
    expect(["allow", "ask", "deny"]).toContain(effect);
    expect(performance.now() - start).toBeLessThan(CEILING_MS);
  }
}

describe("text that nobody would write", () => {
  it("never throws on random bytes, and allows none", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 400 }), (bytes) => {
        const text = Buffer.from(bytes).toString("latin1");
        const isRemark = text.replaceAll(/#[^\n]*/g, "").trim() === "";
        for (const tool of TOOLS)
          if (!isRemark) expect([text, harmlessOnly.effectOf(tool, text)]).not.toContain("allow");
      }),
      { numRuns: 3000 },
    );
  });

  it("never throws on random text of the shell's own characters", () => {
    const signs = fc.constantFrom(..."'\"`\\$(){}[]<>|&;#!*?~=,:-+@%^ \n\tax1");
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 120 }), (text) => {
        for (const tool of TOOLS) for (const policy of triedPolicies) policy.effectOf(tool, text);
      }),
      { numRuns: 4000 },
    );
  });

  it("never throws on a command that is cut off anywhere", () => {
    for (const { text } of shapes)
      for (let length = 0; length <= text.length; length += 1)
        for (const tool of TOOLS) harmlessOnly.effectOf(tool, text.slice(0, length));
  });

  it("never allows a command that is cut off within a quote, a substitution or a group", () => {
    const withinWords = ["'", '"', "`", "$(", "${", "$((", "<(", "(", "<<E\n"];
    const betweenCommands = ["(", "{ ", "((", "[[ ", "if ", "case x in ", "while ", "for x in "];
    const openings = [
      ...withinWords.flatMap((opening) => ["echo ", "echo a; ", ""].map((before) => before + opening)),
      ...betweenCommands.flatMap((opening) =>
        ["echo a; ", "echo a && ", ""].map((before) => before + opening),
      ),
    ];
    for (const opening of openings)
      for (const tool of TOOLS)
        expect([opening, harmlessOnly.effectOf(tool, `${opening}echo a`)]).not.toContain("allow");
  });

  it("never throws on a lone surrogate, a NUL or a line of nothing", () => {
    for (const text of [
      "",
      " ",
      "\n",
      "\0",
      "echo \0",
      "\ud800",
      "echo \udfff",
      "\ufeff",
      "\u2028",
      "echo a\0b",
    ])
      for (const tool of TOOLS) for (const policy of triedPolicies) policy.effectOf(tool, text);
    expect(harmlessOnly.effectOf("Bash", "echo a\0b")).toBe("ask");
  });

  it("ends in time on 10 kB of one sign, and of any two", () => {
    const signs = [
      ..."'\"`\\$(){}[]<>|&;#!*?~=,:-+@% \na1",
      "$(",
      "${",
      "$((",
      "<(",
      "((",
      "<<E\n",
      "x=(",
      "if ",
    ];
    for (const first of signs)
      for (const second of ["", "a", " ", "\n", "(", "'", '"', "`", "\\", ")", "}"])
        judgesInTime((first + second).repeat(SIZE).slice(0, SIZE));
  }, 120_000);

  it("ends in time on 10 kB of nested commands", () => {
    for (const template of templates) {
      let text = "canary";
      while (text.length < SIZE) {
        const deeper = template.replaceAll(/[◆◇◈◊]/g, () => text);
        if (deeper.length <= text.length) break;
        text = deeper;
      }
      judgesInTime(text.slice(0, SIZE));
      judgesInTime(text);
    }
  }, 120_000);

  it("ends in time on 10 kB of random text, and on 10 kB of a shape over and over", () => {
    for (const { text } of shapes.filter((_, index) => index % 7 === 0))
      judgesInTime(`${text}\n`.repeat(SIZE).slice(0, SIZE));
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: SIZE / 2, maxLength: SIZE }), (text) =>
        judgesInTime(text),
      ),
      { numRuns: 30 },
    );
  }, 120_000);

  it("says why it cannot read a text rather than giving a shorter answer", () => {
    const parts = Array.from({ length: 5000 }, () => "true").join(";");
    expect(analyzeShell(`${parts};canary`, { dialect: "bash" }).opaque).not.toBeNull();
    expect(
      analyzeShell(`${"$(".repeat(100)}canary${")".repeat(100)}`, { dialect: "bash" }).opaque,
    ).not.toBeNull();
  });
});
