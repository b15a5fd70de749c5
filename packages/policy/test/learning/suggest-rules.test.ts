import { describe, expect, it } from "vitest";
import { evaluateRules, type SuggestOptions, suggestRules } from "../../src/index.js";
import { allow, ask, deny } from "../evaluate/rule-samples.js";

const call = (command: string) => ({ tool: "Bash", input: { command } });
const suggest = (command: string, options: SuggestOptions = {}) =>
  suggestRules(call(command), options).map(({ tool, pattern, exact }) =>
    tool === "Bash" ? `${pattern}${exact === true ? " (exact)" : ""}` : `${tool}(${pattern})`,
  );

describe("suggestRules", () => {
  it("names each part exactly, then wider where what follows can only make it read", () => {
    expect(suggest("git status -s && npm test && cat f")).toEqual([
      "git status -s (exact)",
      "npm test (exact)",
      "cat f (exact)",
      "git status:*",
      "cat:*",
    ]);
    expect(suggest("wc -l f")).toEqual(["wc -l f (exact)", "wc:*"]);
  });

  it("names what is not yet allowed only", () => {
    expect(suggest("git commit -m x && npm test", { rules: [allow("Bash(npm test)")] })).toEqual([
      "git commit -m x (exact)",
    ]);
    expect(suggest("npm test", { rules: [allow("Bash"), ask("Bash", { scope: "builtin" })] })).toEqual([]);
    expect(suggest("npm test", { rules: [ask("Bash", { scope: "builtin" })] })).not.toEqual([]);
  });

  it("leaves out what no allow could answer", () => {
    expect(suggest("npm test", { rules: [deny("Bash")] })).toEqual([]);
    expect(suggest("npm test", { rules: [ask("Bash(npm:*)")] })).toEqual([]);
    for (const command of ["eval x", "python -c 'x'", "echo `ls", "$X", "", "make $(zap) >"])
      expect(suggest(command)).toEqual([]);
  });

  it("names programs rather than what starts them", () => {
    expect(suggest("timeout 5 git status")).toEqual(["git status (exact)", "git status:*"]);
    expect(suggest("bash -c 'npm test'")).toEqual(["npm test (exact)"]);
  });

  it.each([
    "python3 x.py",
    "node x",
    "bash x.sh",
    "sudo ls",
    "xargs rm",
    "npx foo",
    "docker run x",
    "kubectl exec x",
    "npm exec x",
    "ssh host",
    "python3.12 run",
    "make all",
    "./tool go",
    "FOO=1 git commit",
  ])("never gives %s a wildcard that could run anything", (command) => {
    const wide = suggestRules(call(command)).filter(({ exact }) => exact !== true);
    const program = command.split(" ")[0] ?? "";
    expect(wide.filter(({ pattern }) => pattern.startsWith(program))).toEqual([]);
  });

  it("names the files that a command changes", () => {
    expect(suggest("echo x > out.txt", { rules: [allow("Bash(echo:*)")] })).toEqual(["Write(out.txt)"]);
    expect(suggest("rm a.log", { rules: [allow("Bash(rm:*)")] })).toEqual(["Remove(a.log)"]);
    expect(suggest("echo x > $X", { rules: [allow("Bash(echo:*)")] })).toEqual([]);
  });

  it.each([
    "kubectl apply -f - <<E\nsafe\nE",
    "kubectl apply -f - <<'E'\nsafe\nE",
    "kubectl apply -f - <<< safe",
    "kubectl apply -f - < file",
    "timeout 5 kubectl apply -f - 0< file",
    "{ kubectl apply -f -; } <<'E'\nsafe\nE",
    "bash -c 'kubectl apply -f - <<< safe'",
  ])("gives nothing for %j, whose input no rule would show", (command) => {
    expect(suggest(command)).toEqual([]);
  });

  it("names the targets of other calls", () => {
    const copy = { tool: "Copy", input: { source: "a", destination: "b" } };
    expect(suggestRules(copy).map(({ pattern }) => pattern)).toEqual(["a", "b"]);
    expect(suggestRules({ tool: "Team", input: {} })).toEqual([]);
  });

  it("gives rules that, added together, allow a plain call", () => {
    for (const command of ["git commit -m x && npm test", "ls | wc -l", "echo x > out.txt", "sudo ls"]) {
      const rules = suggestRules(call(command)).filter(({ exact }) => exact === true);
      expect([command, evaluateRules({ rules, call: call(command) }).effect]).toEqual([command, "allow"]);
    }
  });
});
