import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";
import { awkCode } from "../../src/shell/starts/awk-code.js";

function partOf(program: string) {
  return analyzeShell(`awk '${program}' f`, { dialect: "bash" }).parts[0];
}

describe("an awk program", () => {
  it.each([
    "/a|b/ {print $1}",
    '{print $1 "|" $2}',
    '/"/ {n++} /a|b/ {print n}',
    "$1 ~ /system|getline/",
    '{gsub(/[|]/, "x"); print}',
    '# a | b\n{print "@" $1/2}',
    "{sum += $1} END {print sum / NR}",
    "a || b {print}",
    "BEGIN {x = 4; x /= 2; print x} /a|b/",
    "$1 in a && /x|y/",
  ])("runs nothing where bars stand in strings, comments and expressions: %j", (program) => {
    expect(partOf(program)?.opaque).toBeNull();
    expect(partOf(program)?.targets.some(({ operation }) => operation === "write")).toBe(false);
  });

  it.each([
    '{print $1 | "canary"}',
    '{print "}" | "canary"}',
    'BEGIN {"canary" | getline}',
    'BEGIN {system("canary")}',
    'BEGIN {f = "system"; @f("canary")}',
    'BEGIN {print 1 # "\n | "canary"}',
    'BEGIN {x = 1; print x++ /"/ | "canary" #"/\n}',
    'BEGIN {if (1) /"/; print | "canary" #"/\n}',
    'BEGIN {print length /"/ | "canary" #"/\n}',
    '/[/"]/ {print | "canary"} #"]/',
    '{print |& "canary"}',
    'BEGIN {print "a\n" | "canary"}',
  ])("may run another where it is not clear that they do: %j", (program) => {
    expect(partOf(program)?.opaque).not.toBeNull();
  });

  it.each([
    '{print > "f"}',
    '{print "}" > "/tmp/x"}',
    '{print $1,\n$2 > "f"}',
    '{print /a"b/ > "f"}',
    '{printf("%s", $1) >> "f"}',
    'BEGIN {if (1) /x/; print "}" > "f"}',
  ])("writes a file that is not named: %j", (program) => {
    const writes = partOf(program)?.targets.filter(({ operation }) => operation === "write");
    expect(writes?.map(({ path }) => path)).toEqual([null]);
  });

  it("shows its code without strings, comments and expressions", () => {
    expect(awkCode('/a|b/ {print "x" $1/2} # c')).toBe('0 {print "" $1/2} ');
    expect(awkCode('"open')).toBeNull();
    expect(awkCode("(1) /x/")).toBeNull();
  });
});
