// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

/** Reads everything that is worked out late. */
function readAll(command: string, dialect: "posix" | "bash"): void {
  const analysis = analyzeShell(command, { dialect });
  for (const part of analysis.parts) {
    void [part.forms, part.targets, part.readOnly, part.isolated, part.known, part.program];
  }
  void [analysis.readOnly, analysis.simple];
}

describe("limits", () => {
  it("lose no part of a long list", () => {
    const analysis = analyzeShell(`${"true;".repeat(60)}curl http://e.invalid`);
    expect(analysis.parts.at(-1)?.text).toBe("curl http://e.invalid");
    expect(analysis.opaque).toBeNull();
  });

  it("make text beyond 8,192 characters opaque, with its parts still there", () => {
    const analysis = analyzeShell(`echo ${"x".repeat(8190)}; rm y`);
    expect(analysis.opaque).not.toBeNull();
    expect(analysis.parts.map((part) => part.program)).toEqual(["echo", "rm"]);
  });

  it("make a plain word beyond 8,192 characters opaque too", () => {
    expect(analyzeShell("x".repeat(8193)).opaque).not.toBeNull();
    expect(analyzeShell(`ls ${"x".repeat(8189)}`).opaque).toBeNull();
  });

  it("make more than 2,000 nodes opaque, with the last part still there", () => {
    const analysis = analyzeShell(`${"a;".repeat(2001)}rm y`);
    expect(analysis.opaque).not.toBeNull();
    expect(analysis.parts.at(-1)?.text).toBe("rm y");
    expect(analyzeShell(`echo ${"a ".repeat(1990)}`).opaque).toBeNull();
    expect(analyzeShell(`echo ${"a ".repeat(2001)}`).opaque).not.toBeNull();
  });

  it.each([
    ["substitutions", "echo $(", ")"],
    ["subshells", "( ", ")"],
    ["groups", "{ ", ";}"],
    ["wrappers", "nice ", ""],
    ["conditions", "if true; then ", "; fi"],
  ])("make more than 32 %s inside each other opaque", (_, before, after) => {
    expect(analyzeShell(`${before.repeat(20)}ls${after.repeat(20)}`).opaque).toBeNull();
    expect(analyzeShell(`${before.repeat(40)}ls${after.repeat(40)}`).opaque).not.toBeNull();
  });

  it.each([
    ["process substitutions", "<(cat ".repeat(1400)],
    ["substitutions", "$(".repeat(5000)],
    ["subshells", "(".repeat(10_000)],
    ["arithmetic", `$((${"(1+".repeat(3000)}`],
    ["backticks", "`".repeat(10_000)],
    ["strings", '"$("'.repeat(2500)],
    ["heredocs", "<<E ".repeat(2500)],
    ["deep groups", `${"(".repeat(25)}${")".repeat(25)}`.repeat(190)],
    ["nested process substitutions", `${"<(".repeat(25)}x${")".repeat(25)} `.repeat(120)],
    ["expansions", "${x:-".repeat(2000)],
    ["escapes", "\\".repeat(10_000)],
    ["brackets", "[".repeat(10_000)],
    ["braces", "{a,".repeat(3000)],
    ["wrappers", "sudo ".repeat(2000)],
    ["evaluations", "eval ".repeat(2000)],
    ["scripts", "bash -c ".repeat(1200)],
    ["searches", "find . -exec ".repeat(700)],
    ["editing", `sed 's/${"[a]".repeat(3000)}/x/'`],
    ["strings of awk", `awk '${'"\\'.repeat(4000)}'`],
    ["carriage returns", `rm ${"\r".repeat(10_000)}x`],
    ["carriage returns in a quote", `FOO=1 ./A/echo '${"\r".repeat(8000)}x'`],
    ["sources and slashes", `cp ${"a ".repeat(1500)}${"/".repeat(5000)}x`],
    ["starting options", `fd ${"-x ".repeat(2600)}`],
  ])("end soon on 10 kB of %s", (_, text) => {
    const start = performance.now();
    readAll(text, "bash");
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe("any text at all", () => {
  const pieces = fc.constantFrom(
    "ls",
    "rm x",
    "'",
    '"',
    "`",
    "$(",
    "${",
    "}",
    ")",
    "((",
    "[[",
    "]]",
    "\\",
    "\n",
    ";",
    "&",
    "|",
    "<",
    ">",
    "<<E",
    "$'",
    "$x",
    "{",
    "*",
    "?",
    "~",
    "#",
    "=",
    "a[",
    "if",
    "then",
    "fi",
    "do",
    "done",
    "case",
    "esac",
    "function",
    "find . -exec",
    "bash -c",
    "sed",
    "awk",
    "eval",
    "env",
    "xargs",
    "sudo",
    "\u0000",
    "\r",
    "\ud800",
    "\u00e9",
    " ",
    "\t",
    "-",
    "--",
    "git -c",
    "cd",
    "2>&1",
    "time",
    "coproc",
  );

  it("never throws", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom("posix" as const, "bash" as const), (text, dialect) =>
        readAll(text, dialect),
      ),
      { numRuns: 3000 },
    );
  });

  it("that is cut short never throws", () => {
    const command =
      'cd a && for f in $(ls "$x"); do bash -c \'rm "$1"\' x `cat <<E\n$f\nE\n` > o 2>&1; done | tee "${y:-z}"';
    for (let end = 0; end <= command.length; end++) readAll(command.slice(0, end), "bash");
  });

  it("reads plain words as the parser does", () => {
    const word = fc.stringMatching(/^[\w./:=@%+,-]{1,8}$/);
    const plain = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    const programs = fc.constantFrom(
      "git",
      "timeout 5",
      "sudo",
      "find",
      "env",
      "export",
      "time",
      "if",
      "FOO=1",
      "cd",
      "sort",
      "xargs",
    );
    fc.assert(
      fc.property(fc.tuple(programs, plain), ([program, rest]) => {
        const command = `${program} ${rest}`;
        const describe = (text: string): unknown => {
          const { opaque, parts, readOnly, simple } = analyzeShell(text);
          return {
            isOpaque: opaque !== null,
            readOnly,
            simple,
            parts: parts.map(
              ({ text: own, program: name, wrapping, startedBy, forms, targets, assignments }) => [
                own,
                name,
                wrapping,
                startedBy,
                forms,
                targets,
                assignments,
              ],
            ),
          };
        };
        expect(describe(command)).toEqual(describe(`${command}\n`));
      }),
      { numRuns: 1500 },
    );
  });
});
