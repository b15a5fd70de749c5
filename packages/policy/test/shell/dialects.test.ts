// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

const BASH_ONLY = [
  "echo $'a'",
  "true &>/dev/null ls",
  "ls |& cat",
  "[[ a = b ]]",
  "cat <(ls)",
  "((1))",
  "a+=b",
  "a=(b)",
  "cat <<<x",
  "select x in a; do ls; done",
  "coproc ls",
  "ls &>>f",
  "time FOO=1 ls",
  "case x in x) ls;& *) pwd;; esac",
  "ls 10>/dev/null",
];

describe("dialects", () => {
  it.each(BASH_ONLY.map((command) => [command]))(
    "refuse %j to a shell that may be dash, and read it for bash",
    (command) => {
      expect(analyzeShell(command).opaque).not.toBeNull();
      expect(analyzeShell(command, { dialect: "bash" }).opaque).toBeNull();
    },
  );

  it.each(["zsh", "fish", "powershell", "cmd"] as const)(
    "never trust %s, and still show what is visible",
    (dialect) => {
      const analysis = analyzeShell("ls && rm -rf x", { dialect });
      expect(analysis.opaque).not.toBeNull();
      expect(analysis.parts.map((part) => part.text)).toEqual(["ls", "rm -rf x"]);
      expect(analysis.readOnly).toBe(false);
    },
  );

  it("are POSIX where none is named", () => {
    expect(analyzeShell("ls").dialect).toBe("posix");
  });

  it("read the script of `bash -c` as bash, and of `sh -c` as any shell", () => {
    expect(analyzeShell("bash -c '[[ a = b ]]; ls'").opaque).toBeNull();
    expect(analyzeShell("sh -c '[[ a = b ]]; ls'", { dialect: "bash" }).opaque).not.toBeNull();
  });
});
