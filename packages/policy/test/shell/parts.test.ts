// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

function texts(command: string): string[] {
  return analyzeShell(command, { dialect: "bash" }).parts.map((part) => part.text);
}

describe("the parts of a line", () => {
  it.each([
    ["git status", ["git status"]],
    ["  git   status  ", ["git status"]],
    ["a; b & c\nd", ["a", "b", "c", "d"]],
    ["a && b || c | d", ["a", "b", "c", "d"]],
    ["(a; { b; })", ["a", "b"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
    ["for x in 1 2; do a $x; done", ["a $x"]],
    ["case $x in a) b;; *) c;; esac", ["b", "c"]],
    ["f() { a; }; f", ["a", "f"]],
    ["echo $(a `b`) <(c)", ["echo $(a `b`) <(c)", "a `b`", "b", "c"]],
    ["echo `a \\`b\\``", ["echo `a \\`b\\``", "a `b`", "b"]],
    ['echo "$(a "$(b)")"', ['echo "$(a "$(b)")"', 'a "$(b)"', "b"]],
    ["cat <<E\n$(a)\nE\nb", ["cat", "a", "b"]],
    ["cat <<'E'\n$(a)\nE\nb", ["cat", "b"]],
    ["a 2>&1 >/dev/null <f", ["a"]],
    ["A=1 B='x y' a 'b c' \"d\"", ["A=1 B='x y' a 'b c' \"d\""]],
    ["A=1", ["A=1"]],
    ["echo 'a; b' \"c && d\" # e", ["echo 'a; b' \"c && d\""]],
    ["echo a \\\n  b", ["echo a b"]],
    ["cat <<'X' | deploy --all\nbody\nX", ["cat", "deploy --all"]],
    ["coproc a", ["a"]],
    ["", []],
    ["# nothing", []],
  ])("of %j are its simple commands, in the order of the text", (command, expected) => {
    expect(texts(command)).toEqual(expected);
  });

  it("that a substitution holds name the part in whose words it stands", () => {
    const { parts } = analyzeShell("cat $(ls $(pwd)) > $(a)", { dialect: "bash" });
    expect(parts.map((part) => [part.text, part.heldBy, part.substitutes])).toEqual([
      ["cat $(ls $(pwd))", null, true],
      ["a", 0, false],
      ["ls $(pwd)", 0, true],
      ["pwd", 2, false],
    ]);
  });

  it("of a loop over a substitution hang on a part without words", () => {
    const { parts } = analyzeShell('for p in $(git ls-files); do cat "$p"; done');
    expect(parts.map((part) => [part.text, part.heldBy, part.substitutes])).toEqual([
      ["", null, true],
      ["git ls-files", 0, false],
      ['cat "$p"', null, false],
    ]);
  });

  it("know groups, subshells and background", () => {
    const { parts } = analyzeShell("(a) ; { b; } ; c & d");
    expect(parts.map((part) => [part.grouped, part.background])).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  it("of an opaque line are still there", () => {
    expect(texts("x=canary; $x; rm -rf a; `")).toEqual(
      expect.arrayContaining(["x=canary", "$x", "rm -rf a"]),
    );
    expect(texts("f() { rm a; }")).toEqual(["rm a"]);
  });

  it("tell words from what they become", () => {
    const [part] = analyzeShell("echo 'a b' \"c$x\" *.ts ~/y {1,2} $((1)) \\;").parts;
    expect(part?.argv.map(({ value, expansions }) => [value, expansions])).toEqual([
      ["echo", []],
      ["a b", []],
      [null, ["parameter"]],
      [null, ["glob"]],
      [null, ["tilde"]],
      [null, ["brace"]],
      [null, ["arithmetic"]],
      [";", []],
    ]);
  });
});

describe("a line that can be learned", () => {
  it.each(["git status", "timeout 5 git status", "ls 2>&1", "ls >/dev/null", "A=1 ls", "! ls"])(
    "is one simple command: %j",
    (command) => {
      expect(analyzeShell(command).simple).toBe(true);
    },
  );

  it.each([
    "",
    "a; b",
    "a | b",
    "(a)",
    "{ a; }",
    "a &",
    "a < f",
    "a <<< b",
    "a > f",
    "a $(b)",
    "for x in a; do b; done",
    "if a; then b; fi",
    "bash -c ls",
    "python -c x",
    "A=1",
    "$x",
  ])("is not %j", (command) => {
    expect(analyzeShell(command).simple).toBe(false);
  });
});
