import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

describe("a long option whose value is not known", () => {
  it.each([
    'git log --since="$(date +%Y-01-01)" --oneline',
    'git log "--since=$(date +%Y-01-01)"',
    'git diff --word-diff="$MODE" -- src',
    'sort --key="$KEY" f',
    'date --date="$DAY"',
    "test $# -gt 0",
    '[ -z "$A" -a -n x ]',
    '[ "$A" = "$B" -o "$A" -nt "$C" ]',
    "[ $? -eq 0 ]",
  ])("leaves what it belongs to as it is: %s", (command) => {
    const { opaque, parts } = analyzeShell(command, { dialect: "bash" });
    expect(opaque).toBeNull();
    if (/^(?:git|sort|date)/.test(command))
      expect(parts.map(({ readOnly }) => readOnly)).not.toContain(false);
  });

  it.each([
    'sort --compress-program="$X" f',
    'tar --to-command="$X" -xf a',
    'rg --pre="$X" a',
    'git --exec-path="$X" status',
    'timeout --signal="$X" 5 ls',
    'env --chdir="$X" ls',
    'sed --expression="$X" f',
    'make --file="$X"',
  ])("is opaque where the option may run something: %s", (command) => {
    expect(analyzeShell(command, { dialect: "bash" }).opaque).not.toBeNull();
  });

  it.each(['git log --output="$X"', "git log --since=$X", 'git log "$X"', 'sort --output="$X" f'])(
    "is not read-only where it may write, or become more words: %s",
    (command) => {
      const { readOnly, parts } = analyzeShell(command, { dialect: "bash" });
      expect(readOnly).toBe(false);
      if (command.includes("--output"))
        expect(parts[0]?.targets).toContainEqual(expect.objectContaining({ operation: "write", path: null }));
    },
  );
});

describe("find", () => {
  it.each([
    ["find . -exec echo '{}' + -exec canary '{}' +"],
    ["find . -exec echo {} + -exec canary {} +"],
    ["find . -exec echo {} ';' -execdir canary {} ';'"],
    ["find . -ok echo {} + -exec canary {} +"],
    ["find . -exec -exec canary {} +"],
  ])("shows every program that it starts, wherever the one before ends: %s", (command) => {
    const { parts } = analyzeShell(command);
    expect(parts.map(({ program }) => program)).toContain("canary");
  });
});
