import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules, learnRule } from "../../src/index.js";

const learnBash = (command: string) => learnRule({ tool: "Bash", input: { command } })?.pattern ?? null;

describe("learnRule of a command", () => {
  it.each([
    ["git status", "git status"],
    ["  git   status  ", "git status"],
    ["npm test 2>&1 >/dev/null", "npm test"],
    ["timeout 5 git status", "timeout 5 git status"],
    ["sudo -n apt update", "sudo -n apt update"],
    ["FOO=1 make test", "FOO=1 make test"],
    ["/opt/t/upd -a", "/opt/t/upd -a"],
    ["git commit -m 'x && y'", "git commit -m 'x && y'"],
    ["npm test 2>&1", "npm test"],
    ["npm test >/dev/null", "npm test"],
    ["npm test 2>/dev/null", "npm test"],
    ["npm test </dev/null", "npm test"],
  ])("%j gives what ran, exactly: %j", (command, pattern) => {
    expect(learnRule({ tool: "Bash", input: { command } })).toEqual({
      scope: "user",
      tool: "Bash",
      pattern,
      effect: "allow",
      exact: true,
      audience: "all",
    });
    const learned = [learnRule({ tool: "Bash", input: { command } })].flatMap((rule) => rule ?? []);
    const decision = evaluateRules({ rules: [], learned, call: { tool: "Bash", input: { command } } });
    expect(decision.effect).toBe("allow");
  });

  it.each([
    "ls && ls",
    "ls; ls",
    "ls | wc",
    "ls &",
    "(ls)",
    "{ ls; }",
    "cat $(ls)",
    "cat `ls`",
    "diff <(ls) f",
    "ls > f",
    "ls 2>> f",
    "python -c 'x'",
    "eval ls",
    "$X",
    "git*",
    "FOO=1",
    "if ls; then ls; fi",
    "bash -c 'ls; ls'",
    "# nothing",
    "",
    "ls )",
  ])("%j gives nothing", (command) => {
    expect(learnBash(command)).toBeNull();
  });

  it.each([
    "kubectl apply -f - <<E\nsafe\nE",
    "kubectl apply -f - <<'E'\nsafe\nE",
    "kubectl apply -f - <<-E\n\tsafe\nE",
    "<<E kubectl apply -f -\nsafe\nE",
    "timeout 5 kubectl apply -f - <<E\nsafe\nE",
    "kubectl apply -f - <<< safe",
    "kubectl apply -f - <<< ''",
    "kubectl apply -f - 0<<<safe",
    "kubectl apply -f - < file",
    "kubectl apply -f - 0< file",
    "kubectl apply -f /dev/fd/3 3<file",
    "kubectl apply -f - <> file",
    "kubectl apply -f - 2>&1 <file >/dev/null",
  ])("%j, whose input the rule would not show, gives nothing", (command) => {
    expect(learnBash(command)).toBeNull();
    expect(learnRule({ tool: "Shell", input: { command } })).toBeNull();
  });

  it("gives nothing where there are two commands or none that can be read", () => {
    for (const input of [{ command: "ls", cmd: "pwd" }, { command: 7 }, {}, null, [], "ls"])
      expect(learnRule({ tool: "Bash", input })).toBeNull();
  });

  it("reads the text as the tool's shell does", () => {
    const call = { tool: "Shell", input: { command: "echo $'a'" } };
    expect(learnRule(call)).toBeNull();
    expect(learnRule(call, { dialect: "bash" })?.pattern).toBe("echo $'a'");
    expect(learnRule({ tool: "run", input: { command: "ls" }, kind: "Shell" })?.tool).toBe("run");
  });
});

describe("learnRule of another call", () => {
  const workspace = memoryWorkspace({ "/w/out": { link: "/etc" }, "/etc/hosts": "" });

  it("gives its one target", () => {
    expect(learnRule({ tool: "WebSearch", input: { query: "go" } })?.pattern).toBe("go");
    expect(learnRule({ tool: "Write", input: { file_path: "/x" } })?.pattern).toBe("/x");
  });

  it("gives nothing of two targets or none", () => {
    expect(learnRule({ tool: "Copy", input: { source: "a", destination: "b" } })).toBeNull();
    expect(learnRule({ tool: "Move", input: { source: "a", destination: "b" } })).toBeNull();
    expect(learnRule({ tool: "Read", input: { path: "a", file_path: "b" } })).toBeNull();
    expect(learnRule({ tool: "Grep", input: { pattern: "x" } })).toBeNull();
    expect(learnRule({ tool: "Team", input: { goal: "x" } })).toBeNull();
    expect(learnRule({ tool: "Read", input: { path: "" } })).toBeNull();
  });

  it("gives nothing of a path outside the workspace where there is one", () => {
    const learn = (path: string) =>
      learnRule({ tool: "Read", input: { path } }, { workspace })?.pattern ?? null;
    expect(learn("src/a")).toBe("src/a");
    expect(learn("/w/src/a")).toBe("/w/src/a");
    for (const path of ["/etc/hosts", "../x", "out/hosts", "~/x"]) expect(learn(path)).toBeNull();
  });
});
