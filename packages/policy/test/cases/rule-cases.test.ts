import { caseById } from "@x/conformance";
import type { Rule } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import {
  createChildPolicy,
  definePermissions,
  evaluateRules,
  learnRule,
  MemoryPermissionStore,
  RulePolicy,
} from "../../src/index.js";
import { bash, caseInput, decisionsOf, effectsOf } from "./case-input.js";

describe("patterns", () => {
  it("[CASE-049] a wildcard in the middle matches any run, also across folders", () => {
    expect(effectsOf("CASE-049")).toEqual(["deny", "deny"]);
  });

  it("[CASE-053] wildcards of tool names match a server's tools, and a server's name not another's", () => {
    expect(effectsOf("CASE-053")).toEqual(["allow", "allow", "allow", "ask"]);
  });

  it("[CASE-055] a prefix covers the command alone and with arguments, and nothing more", () => {
    expect(effectsOf("CASE-055")).toEqual(["allow", "allow", "ask", "ask"]);
  });

  it.each(["CASE-220", "CASE-221"])("[%s] many wildcards are answered at once", (id) => {
    const { rules, calls } = caseInput(id);
    evaluateRules({ rules, call: bash("warm up") });
    const began = performance.now();
    for (const call of calls) expect(evaluateRules({ rules, call }).effect).not.toBe("allow");
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe("paths", () => {
  const workspace = memoryWorkspace({}, { root: "/w/p" });

  it("[CASE-056] relative denies bind absolute paths, also of files whose name begins with a dot", () => {
    expect(effectsOf("CASE-056", { workspace })).toEqual(["deny", "deny", "deny"]);
  });

  it("[CASE-057] backslashes on win32 are what slashes are", () => {
    const windows = memoryWorkspace({}, { platform: "win32" });
    const [decision] = decisionsOf("CASE-057", { workspace: windows });
    const { rules } = caseInput("CASE-057");
    const call = { tool: "Edit", input: { file_path: "docs/a.md" } };
    expect(decision?.effect).toBe(evaluateRules({ rules, workspace: windows, call }).effect);
    expect(decision?.effect).toBe("deny");
    const allows = rules.filter(({ effect }) => effect === "allow");
    for (const path of ["docs\\a.md", "docs/a.md"])
      expect(
        evaluateRules({
          rules: allows,
          workspace: windows,
          call: { tool: "Edit", input: { file_path: path } },
        }).effect,
      ).toBe("allow");
  });

  it("[CASE-212] case is folded for deny, and not for allow", () => {
    const blind = memoryWorkspace({}, { caseInsensitive: true });
    expect(effectsOf("CASE-212", { workspace: blind })).toEqual(["deny", "ask"]);
    expect(effectsOf("CASE-212", { workspace })).toEqual(["ask", "ask"]);
  });

  it("[CASE-213] composed and decomposed accents are one in a deny", () => {
    const { rules, calls } = caseInput("CASE-213");
    for (const form of ["NFC", "NFD"] as const) {
      const turned = rules.map((rule) => ({ ...rule, pattern: rule.pattern.normalize(form) }));
      for (const call of calls) expect(evaluateRules({ rules: turned, call }).effect).toBe("deny");
    }
  });
});

describe("who wins", () => {
  it("[CASE-066] a child is bound by its parent's denies, as they are at the moment, and by its own", async () => {
    const { parent, child } = caseById("CASE-066").input["rules"] as {
      parent: { deny: string[] };
      child: { allow: string[]; deny: string[] };
    };
    let current = definePermissions(parent);
    const parentPolicy = new RulePolicy({ rules: { resolve: () => current } });
    const policy = createChildPolicy(parentPolicy, definePermissions({ subagent: child }));
    const effect = async (call: { tool: string; input: { [key: string]: string } }) =>
      (await policy.evaluate({ sessionId: "s", mode: "default", audience: "main", call })).effect;
    expect(await effect({ tool: "Read", input: { file_path: "secret/a" } })).toBe("deny");
    expect(await effect({ tool: "Bash", input: { command: "ls" } })).toBe("deny");
    current = definePermissions({});
    expect(await effect({ tool: "Read", input: { file_path: "secret/a" } })).toBe("deny");
    expect(await effect({ tool: "Bash", input: { command: "ls" } })).toBe("allow");
  });

  it("[CASE-068] a managed deny wins over a local allow, and the reason names its scope", () => {
    const { managed, local } = caseById("CASE-068").input["rules"] as {
      managed: { deny: string[] };
      local: { allow: string[] };
    };
    const rules = [
      ...definePermissions(local, { scope: "local-project" }).rules,
      ...definePermissions(managed, { scope: "managed" }).rules,
    ];
    const decision = evaluateRules({ rules, call: bash("kubectl get pods") });
    expect(decision.effect).toBe("deny");
    expect(decision.reason).toContain("the managed rule Bash(kubectl:*)");
  });

  it("[CASE-074] an ask rule asks", () => {
    expect(decisionsOf("CASE-074")).toMatchObject([{ effect: "ask", configuredAsk: true }]);
  });

  it("[CASE-198] a denial carries scope, index and text of its rule", () => {
    const [decision] = decisionsOf("CASE-198");
    expect(decision?.effect).toBe("deny");
    expect(decision?.reason).toBe("denied by the user rule Bash(b:*) (rules[1])");
    expect(decision?.rule).toMatchObject({ scope: "user", tool: "Bash", pattern: "b:*" });
  });
});

describe("what is loaded and learned", () => {
  it("[CASE-087] no call is decided before the rules have been resolved", async () => {
    const set = definePermissions({ deny: ["Read(**/.env*)"] });
    const policy = new RulePolicy({
      rules: { resolve: () => new Promise((resolve) => setImmediate(() => resolve(set))) },
    });
    const call = { tool: "Read", input: { file_path: "b/.env" } };
    const decision = await policy.evaluate({ sessionId: "s", mode: "default", audience: "main", call });
    expect(decision.effect).toBe("deny");
  });

  it("[CASE-088] offers to remember only what would then be allowed", async () => {
    const workspace = memoryWorkspace({}, { root: "/w/p" });
    const policy = new RulePolicy({ rules: [] });
    const about = { sessionId: "s", audience: "main", workspace } as const;
    const writing = { ...about, call: bash("ls > /tmp/o") };
    expect((await policy.evaluate({ ...writing, mode: "default" })).effect).toBe("ask");
    expect(await policy.learnable(writing)).toBeNull();
    expect(await policy.learn(writing)).toBeNull();
    const removing = { ...about, call: bash("rm build.log") };
    expect(await policy.learnable(removing)).toBeNull();
    const plain = { ...about, call: bash("npm test") };
    expect(await policy.learn(plain)).toMatchObject({ pattern: "npm test", exact: true });
    expect((await policy.evaluate({ ...plain, mode: "default" })).effect).toBe("allow");
  });

  it("[CASE-089] remembers one command of one session, not its program", async () => {
    const policy = new RulePolicy({ rules: [] });
    const request = (sessionId: string, command: string) =>
      ({ sessionId, audience: "main", mode: "default", call: bash(command) }) as const;
    expect(await policy.learn(request("a", "git status"))).not.toBeNull();
    expect((await policy.evaluate(request("a", "git status"))).effect).toBe("allow");
    expect((await policy.evaluate(request("a", "git push"))).effect).toBe("ask");
    expect((await policy.evaluate(request("b", "git status"))).effect).toBe("ask");
  });

  it("[CASE-224] remembers a program under the path it was called by, once", () => {
    const store = new MemoryPermissionStore();
    for (const call of [bash("/opt/t/upd -a"), bash("/opt/t/upd -a")])
      store.record("s", learnRule(call) as Rule);
    const learned = store.rules("s");
    expect(learned).toHaveLength(1);
    const effect = (command: string) => evaluateRules({ rules: [], learned, call: bash(command) }).effect;
    expect(effect("/opt/t/upd -a")).toBe("allow");
    expect(effect("upd -a")).toBe("ask");
  });
});
