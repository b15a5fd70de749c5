import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeAsk } from "../../src/terminal/describe-ask.js";
import { pendingAsk } from "../support/asks.js";

describe("describeAsk", () => {
  it("shows details line by line and whole, however long", () => {
    const long = "x".repeat(50_000);
    const { lines } = describeAsk(pendingAsk("A", { details: `one\r\ntwo\n${long}` }));
    expect(lines.slice(2, 5)).toEqual(["Details  one", "         two", `         ${long}`]);
  });

  it("escapes a line break where it could pretend to be a line of ours", () => {
    const { lines, question } = describeAsk(pendingAsk("A", { tool: "ls\nDigest   0000", prompt: "a\rb" }));
    expect(lines[0]).toBe("Tool     ls\\nDigest   0000");
    expect(lines[1]).toBe("Asks     a\\rb");
    expect(question).toContain("ls\\nDigest");
    expect(lines.at(-1)).toContain("shown escaped");
  });

  it("[CASE-201] never holds a control character, whatever the ask says", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, text, text, (tool, prompt, details, agent) => {
        const { lines, question } = describeAsk(pendingAsk("A", { tool, prompt, details, agent }));
        for (const line of [...lines, question])
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u);
      }),
    );
  });
});
