// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";
import { isPlainSedScript } from "../../src/shell/starts/sed-script.js";
import { DANGEROUS_VARIABLES, isDangerousVariable } from "../../src/shell/tables/dangerous-variables.js";
import { EVALUATING_BUILTINS } from "../../src/shell/tables/evaluating-builtins.js";
import { EVALUATING_PROGRAMS } from "../../src/shell/tables/evaluating-programs.js";
import { GIT_FILES } from "../../src/shell/tables/git-files.js";
import { INTERPRETERS } from "../../src/shell/tables/interpreters.js";
import { READERS } from "../../src/shell/tables/readers.js";
import { REMOTE_PROGRAM_GROUPS } from "../../src/shell/tables/remote-programs.js";
import { WRITERS } from "../../src/shell/tables/writers.js";

const named = [...EVALUATING_BUILTINS, ...INTERPRETERS, ...EVALUATING_PROGRAMS].flatMap((program) =>
  program.names.map((name) => ({ name, program })),
);

function isOpaque(command: string): boolean {
  return analyzeShell(command, { dialect: "bash" }).opaque !== null;
}

describe("the table of programs that run text", () => {
  it("names none twice", () => {
    expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
  });

  it.each(named.filter(({ program }) => program.always === true))("never trusts $name", ({ name }) => {
    expect(isOpaque(`${name} x`)).toBe(true);
    expect(isOpaque(`/usr/bin/${name} x`)).toBe(true);
  });

  it.each(named.filter(({ program }) => program.input === true))(
    "does not trust $name to read code from its input",
    ({ name }) => {
      expect(isOpaque(name)).toBe(true);
      expect(isOpaque(`${name} -`)).toBe(true);
      expect(isOpaque(`${name} /dev/stdin`)).toBe(true);
      expect(isOpaque(`${name} $x`)).toBe(true);
      expect(isOpaque(`${name} file`)).toBe(false);
    },
  );

  const letters = named.flatMap(({ name, program }) =>
    [...(program.letters ?? "")].map((letter) => ({ name, letter })),
  );
  it.each(letters)("does not trust $name -$letter", ({ name, letter }) => {
    expect(isOpaque(`${name} -${letter} x y`)).toBe(true);
    expect(isOpaque(`${name} '-${letter}' x y`)).toBe(true);
  });

  const long = named.flatMap(({ name, program }) => (program.long ?? []).map((option) => ({ name, option })));
  it.each(long)("does not trust $name $option", ({ name, option }) => {
    expect(isOpaque(`${name} ${option} x`)).toBe(true);
    expect(isOpaque(`${name} ${option}=x`)).toBe(true);
  });

  it("knows long options that are cut short", () => {
    expect(isOpaque("sort --compress-prog x f")).toBe(true);
    expect(isOpaque("tar --to-c=x -xf f")).toBe(true);
  });
});

describe("every table", () => {
  it("says of each entry why it stands there", () => {
    for (const table of [
      EVALUATING_BUILTINS,
      EVALUATING_PROGRAMS,
      READERS,
      WRITERS,
      GIT_FILES,
      REMOTE_PROGRAM_GROUPS,
      DANGEROUS_VARIABLES,
    ]) {
      for (const { names, why } of table) {
        expect(names.length).toBeGreaterThan(0);
        expect(why.length).toBeGreaterThan(5);
      }
    }
  });
});

describe("a dangerous variable", () => {
  it.each(DANGEROUS_VARIABLES.flatMap(({ names }) => names).map((name) => [name.replace("*", "X")]))(
    "makes its assignment opaque: %s",
    (name) => {
      expect(isDangerousVariable(name)).toBe(true);
      expect(isOpaque(`${name}=x ls`)).toBe(true);
      expect(isOpaque(`${name}=x`)).toBe(true);
      expect(isOpaque(`export ${name}=x`)).toBe(true);
      expect(isOpaque(`env ${name}=x ls`)).toBe(true);
      expect(isOpaque(`read ${name}`)).toBe(true);
      expect(isOpaque(`for ${name} in a; do ls; done`)).toBe(true);
    },
  );

  it.each(["FOO", "NODE_ENV", "CI", "A", "DEBUG", "PORT", "RUST_BACKTRACE", "RUST_LOG", "CGO_ENABLED"])(
    "is not %s",
    (name) => {
      expect(isOpaque(`${name}=x ls`)).toBe(false);
    },
  );
});

describe("a script of sed", () => {
  it.each([
    "1,20p",
    "s/a/b/",
    "s/a/b/g;s|x|y|2",
    "/^#/d",
    "/a/,/b/d",
    "$d",
    "s/[a-z]/x/",
    "s/[^\\/]*$//",
    "1!G;h;$!d",
    ":a;N;$!ba;s/\\n/ /g",
    "y/abc/xyz/",
    "/x/{s/a/b/;p}",
    "a foo",
    "2i\\\nfoo",
    "s/\\(a\\)\\[/\\1/",
    "5q",
    "/a/!d",
    "1~2d",
    "s/[[:space:]]*$//",
    "s,a/b,c,g",
    "# c\np",
    "$!N;P;D",
    "s/[/]/x/",
    "s/[^/]*[/]/-/2g",
    "s|[|]|_|g;p",
    "s/[/]//",
  ])("only edits: %j", (script) => {
    expect(isPlainSedScript(script)).toBe(true);
  });

  it.each([
    "e",
    "1e",
    "e canary",
    "s/a/b/e",
    "s/a/b/w f",
    "w f",
    "r f",
    "R f",
    "W f",
    "s/[]/x/;#]/b/e",
    "s/[[:x:]/x/;#]/b/e",
    "/[]/]#/e",
    "s/a/b/ge",
    "s/a/b/;e",
    "/a/e canary",
    "{e canary\n}",
    "p;e",
    "s/x/y/\ne canary",
    "}e",
    "!e",
    "1,2e x",
    "s\\a\\b\\e",
    "sxaxbxe",
    "s/\\[/x/e",
    "s/\\\\[/]#/e",
    "y/a/b/e",
    "ba;e",
    "b a\ne",
    "s/a/b/m;e x",
    "q5e",
    "a\\\nfoo\ne x",
    ":l\ne",
    "s/\\\n/x/e",
    "s/a",
    "zzz",
    "s/[/]/e/",
    "s/[/]/w x/",
    "s/[/]/g;e/",
    "s/[/]/;e/",
    "s/[/]/ge/",
  ])("may do more: %j", (script) => {
    expect(isPlainSedScript(script)).toBe(false);
  });
});
