// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

function formsOf(command: string): readonly string[] {
  return analyzeShell(command, { dialect: "bash" }).parts[0]?.forms ?? [];
}

describe("the forms under which a deny or ask rule may know a part", () => {
  it("are its text alone where there is nothing to undo", () => {
    expect(formsOf("git push origin")).toEqual(["git push origin"]);
    expect(formsOf("rm -rf a")).toEqual(["rm -rf a"]);
  });

  it.each([
    ["pe''rl -v", "perl -v"],
    ["\\rm x", "rm x"],
    ["$'\\x70erl' -v", "perl -v"],
    ['"rm" "-rf" x', "rm -rf x"],
    ["git 'push' $X", "git push $X"],
    ["A=1 B='x y' kubectl drain n1", "kubectl drain n1"],
    ["/usr/bin/rm x", "rm x"],
    ["./bin/../rm x", "rm x"],
    ["'/bin/rm' x", "rm x"],
    ["A=1 /bin/r''m 'x'", "rm x"],
    ["rm x\r", "rm x"],
    ["rm cafe\u0301", "rm caf\u00e9"],
    ["RM x", "rm x"],
    ["/bin/RM x", "rm x"],
    ["git -C /y push", "git push"],
    ["git --no-pager --git-dir=x push", "git push"],
    ["/usr/bin/git -C x pu''sh", "git push"],
  ])("of %j hold %j", (command, form) => {
    expect(formsOf(command)).toContain(form);
  });

  it("begin with the text, and name none twice", () => {
    for (const command of ["A=1 /bin/r''m 'x'", "git -C x push", "echo 'a'", "rm x\r"]) {
      const forms = formsOf(command);
      expect(forms[0]).toBe(analyzeShell(command).parts[0]?.text);
      expect(new Set(forms).size).toBe(forms.length);
    }
  });
});
