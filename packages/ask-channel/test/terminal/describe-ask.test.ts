import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askQuestion, describeAsk } from "../../src/terminal/describe-ask.js";
import { pendingAsk } from "../support/asks.js";

describe("describeAsk", () => {
  it("shows details line by line and whole, however long", () => {
    const long = "x".repeat(50_000);
    const lines = describeAsk(pendingAsk("A", { details: `one\r\ntwo\n${long}` }), 80);
    expect(lines.slice(2, 5)).toEqual([
      "Details  one",
      "         | two",
      expect.stringMatching(/^ {9}\| x{50,59}$/),
    ]);
    expect(lines.join("").replace(/[^x]/g, "")).toBe(long);
  });

  it("escapes a line break where it could pretend to be a line of ours", () => {
    const ask = pendingAsk("A", { tool: "ls\nDigest   0000", prompt: "a\rb" });
    const lines = describeAsk(ask, 80);
    expect(lines[0]).toBe("Tool     ls\\nDigest···0000");
    expect(lines[1]).toBe("Asks     a\\rb");
    expect(lines.at(-2)).toBe("!        Hidden or control characters are in this request. They are·");
    expect(lines.at(-1)).toBe("         ↳ shown escaped.");
    expect(askQuestion(ask, "", 80)[0]).toBe("Tool     ls\\nDigest···0000");
  });

  it("[CASE-201] never holds a control character, whatever the ask says", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, text, text, (tool, prompt, details, agent) => {
        const ask = pendingAsk("A", { tool, prompt, details, agent });
        for (const line of [...describeAsk(ask, 80), ...askQuestion(ask, "", 80)])
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u);
      }),
    );
  });
});

describe("askQuestion", () => {
  it("repeats the tool and the prompt, and tells how much of a long one it leaves out", () => {
    const prompt = `Delete it all? ${"x".repeat(500)} Really?`;
    const lines = askQuestion(pendingAsk("A", { prompt }), "", 80);
    expect(lines[0]).toBe("Tool     deploy");
    expect(lines[1]).toMatch(/^Asks {5}Delete it all\? x+/);
    expect(lines.join("")).toMatch(/… \d+ hidden …/);
    expect(lines.slice(0, -1).join("")).toMatch(/Really\?$/);
    expect(lines.at(-1)).toBe("Allow this call? (n or Escape denies)");
  });

  it.each([40, 80, 200])("leaves room for the list of answers on %i columns", (columns) => {
    const long = "漢 ".repeat(500);
    const lines = askQuestion(pendingAsk("A", { tool: long, prompt: long }), long, columns);
    expect(lines.length).toBeLessThan(16);
  });

  it("shows a comment below them", () => {
    expect(askQuestion(pendingAsk("A"), "not now", 80).slice(1, 3)).toEqual([
      "Asks     approve the deploy?",
      "Comment  not now",
    ]);
  });
});
