import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { builtinRules, evaluateRules, learnRule, RulePolicy } from "../../src/index.js";
import { allow, ask, deny } from "../evaluate/rule-samples.js";

const learnBash = (command: string) => learnRule({ tool: "Bash", input: { command } })?.pattern ?? null;

describe("learnRule of a command", () => {
  it("holds to options that are accessors of a class", () => {
    class Settings {
      get rules() {
        return [deny("Bash(npm test:*)")];
      }
    }
    expect(learnRule({ tool: "Bash", input: { command: "npm test" } }, new Settings())).toBeNull();
  });

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

  it.each(["rm x", "cp a b", "mv a b", "tee x", "touch x", "mkdir -p d", "sed -i s/a/b/ f", "xargs rm"])(
    "%j, of whose files the same question would be asked again, gives nothing where no rule allows them",
    (command) => {
      const call = { tool: "Bash", input: { command } };
      expect(learnRule(call)).toBeNull();
      const files = ["Write", "Remove"].map((tool) => allow(tool));
      const rule = command === "xargs rm" ? null : learnRule(call, { rules: files });
      const learned = rule === null ? [] : [rule];
      expect(rule?.pattern).toBe(command === "xargs rm" ? undefined : command);
      expect(evaluateRules({ rules: files, learned, call }).effect).toBe(rule === null ? "ask" : "allow");
      const policy = new RulePolicy({ rules: files });
      const request = { call, sessionId: "s", audience: "main" } as const;
      expect(policy.learnable(request)).toEqual(rule);
      expect(new RulePolicy({ rules: [] }).learnable(request)).toBeNull();
    },
  );

  it("gives nothing where a rule would ask or deny all the same", () => {
    const call = { tool: "Bash", input: { command: "git push" } };
    for (const rules of [[ask("Bash(git push:*)")], [deny("Bash(git:*)")]])
      expect(learnRule(call, { rules })).toBeNull();
    expect(learnRule(call, { rules: builtinRules() })?.pattern).toBe("git push");
    expect(learnRule(call, { mode: "plan" })).toBeNull();
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
