import { runInNewContext } from "node:vm";
import type { PermissionDecision, PermissionStore, ReportEvent, Rule, RuleSet } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import {
  createChildPolicy,
  MemoryPermissionStore,
  RulePolicy,
  type RulePolicyOptions,
} from "../../src/index.js";
import { allow, ask, deny } from "../evaluate/rule-samples.js";
import { bash, file, request } from "./policy-requests.js";

const policyOf = (rules: RulePolicyOptions["rules"], options: Partial<RulePolicyOptions> = {}) => {
  const reports: ReportEvent[] = [];
  return { reports, policy: new RulePolicy({ onReport: (event) => reports.push(event), ...options, rules }) };
};
const set = (rules: readonly Rule[], failClosed: string | null = null): RuleSet => ({
  rules,
  problems: [],
  failClosed,
});

describe("RulePolicy", () => {
  it("takes a list, a set or a resolver, and has the builtin rules behind them", async () => {
    const rules = [deny("Read(secret/**)")];
    for (const source of [
      rules,
      set(rules),
      { resolve: () => set(rules) },
      { resolve: async () => set(rules) },
    ]) {
      const { policy } = policyOf(source);
      expect((await policy.evaluate(request(file("Read", "secret/a")))).effect).toBe("deny");
      expect((await policy.evaluate(request(file("Read", "a")))).effect).toBe("allow");
      expect(await policy.evaluate(request(bash("ls")))).toMatchObject({
        effect: "ask",
        configuredAsk: false,
      });
    }
  });

  it("can do without the builtin rules", async () => {
    const { policy } = policyOf([], { builtins: false });
    expect(await policy.evaluate(request(file("Read", "a")))).toMatchObject({
      effect: "ask",
      basis: "no-match",
    });
  });

  it("answers at once where resolver and store do", () => {
    const { policy } = policyOf([allow("Bash(ls)")]);
    const decision = policy.evaluate(request(bash("ls"))) as PermissionDecision;
    expect(decision.effect).toBe("allow");
    expect(policy.learn(request(bash("pwd")))).toMatchObject({ pattern: "pwd" });
  });

  it("holds to options, and to rules, whose parts are accessors of a class", async () => {
    class OwnRule implements Rule {
      readonly scope = "user";
      readonly pattern = "secret/**";
      get tool() {
        return "Edit";
      }
      get effect() {
        return "deny" as const;
      }
    }
    class Settings implements RulePolicyOptions {
      get rules() {
        return [allow("Edit"), new OwnRule()];
      }
      get toolKinds() {
        return { edit_file: "Edit" };
      }
    }
    const policy = new RulePolicy(new Settings());
    expect((await policy.evaluate(request(file("edit_file", "secret/a")))).effect).toBe("deny");
    expect((await policy.evaluate(request(file("edit_file", "a")))).effect).toBe("allow");
  });

  it.each<[string, object]>([
    ["inherited", Object.create({ edit_file: "Edit" })],
    [
      "accessors of a class",
      new (class {
        get edit_file() {
          return "Edit";
        }
      })(),
    ],
  ])("refuses a map of tools whose entries are %s: they would be lost", (_how, map) => {
    for (const option of ["toolKinds", "targetKeys"]) {
      const refusal = { code: "invalid_option", message: expect.stringContaining(`${option} must be`) };
      expect(() => new RulePolicy({ rules: [], [option]: map })).toThrow(expect.objectContaining(refusal));
      const parent = new RulePolicy({ rules: [] });
      expect(() => createChildPolicy(parent, [], { [option]: map })).toThrow(
        expect.objectContaining(refusal),
      );
    }
  });

  it("takes a map of tools without a prototype, and one of another realm", () => {
    const bare: Record<string, string> = Object.assign(Object.create(null), { edit_file: "Edit" });
    for (const toolKinds of [bare, runInNewContext('({ edit_file: "Edit" })')])
      expect(new RulePolicy({ rules: [], toolKinds }).evaluationOptions.toolKinds).toBe(toolKinds);
  });

  it("hands its options, mode, audience and workspace on", async () => {
    const { policy } = policyOf([allow("Edit(src/**)", { audience: "subagent" })], {
      toolKinds: { edit_file: "Edit" },
      builtins: false,
    });
    const call = file("edit_file", "/w/src/a");
    const workspace = memoryWorkspace({});
    const effect = async (fields: Parameters<typeof request>[1]) =>
      (await policy.evaluate(request(call, fields))).effect;
    expect(await effect({ workspace, audience: "subagent" })).toBe("allow");
    expect(await effect({ audience: "subagent" })).toBe("ask");
    expect(await effect({ workspace })).toBe("ask");
    expect(await effect({ workspace, audience: "subagent", mode: "plan" })).toBe("deny");
    expect(await effect({ workspace, mode: "accept-edits" })).toBe("allow");
  });

  it("asks the resolver for the workspace at every evaluation", async () => {
    const seen: unknown[] = [];
    let rules = [allow("Bash(ls)")];
    const { policy } = policyOf({
      resolve(workspace) {
        seen.push(workspace?.root);
        return set(rules);
      },
    });
    const workspace = memoryWorkspace({});
    expect((await policy.evaluate(request(bash("ls"), { workspace }))).effect).toBe("allow");
    rules = [deny("Bash(ls)")];
    expect((await policy.evaluate(request(bash("ls")))).effect).toBe("deny");
    expect(seen).toEqual(["/w", undefined]);
  });

  it("explains what it decides", async () => {
    const { policy } = policyOf([allow("Bash(ls)")]);
    const { decision, parts } = await policy.explain(request(bash("ls")));
    expect(decision).toEqual(await policy.evaluate(request(bash("ls"))));
    expect(parts[0]?.matched.map(({ rule }) => rule.scope)).toEqual(["user", "builtin"]);
  });
});

describe("RulePolicy, failing closed", () => {
  const closed = set(
    [allow("Bash"), deny("Bash(rm:*)"), ask("Bash(git push)"), allow("Remove")],
    "settings.yaml: repeated key",
  );

  it("asks about everything for the reason that the set gives", async () => {
    const { policy } = policyOf(closed);
    expect(await policy.evaluate(request(bash("ls")))).toEqual({
      effect: "ask",
      reason: "settings.yaml: repeated key",
      rule: null,
      configuredAsk: true,
      flooredConfiguredAllow: false,
      basis: "no-match",
      parts: [{ text: "ls", effect: "ask", rule: closed.rules[0], reason: "settings.yaml: repeated key" }],
    });
    expect(await policy.evaluate(request(file("Read", "a")))).toMatchObject({
      effect: "ask",
      reason: "settings.yaml: repeated key",
    });
    const demanded = await policy.evaluate(request(bash("git push")));
    expect(demanded).toMatchObject({ effect: "ask", rule: closed.rules[2], configuredAsk: true });
    expect((await policy.explain(request(bash("ls")))).decision.effect).toBe("ask");
  });

  it("while denies deny, and so does plan mode", async () => {
    const { policy } = policyOf(closed);
    expect((await policy.evaluate(request(bash("rm x")))).effect).toBe("deny");
    expect(await policy.evaluate(request(file("Write", "a"), { mode: "plan" }))).toMatchObject({
      effect: "deny",
      basis: "plan-mode",
    });
  });

  it("learns nothing meanwhile", async () => {
    const { policy } = policyOf(closed);
    expect(await policy.learnable(request(bash("pwd")))).toBeNull();
    expect(await policy.learn(request(bash("pwd")))).toBeNull();
  });

  it.each(["throws", "rejects"])(
    "asks where the resolver %s, by the denies that it gave last",
    async (how) => {
      let works = true;
      const { policy, reports } = policyOf({
        resolve() {
          if (works) return set([allow("Bash"), deny("Bash(rm:*)")]);
          if (how === "throws") throw new Error("secret path");
          return Promise.reject(new Error("secret path"));
        },
      });
      expect((await policy.evaluate(request(bash("ls")))).effect).toBe("allow");
      works = false;
      const decision = await policy.evaluate(request(bash("ls")));
      expect(decision).toMatchObject({ effect: "ask", reason: "the permission rules could not be had" });
      expect((await policy.evaluate(request(bash("rm x")))).effect).toBe("deny");
      expect(reports).toHaveLength(2);
      expect(reports[0]).toMatchObject({ level: "error", cause: new Error("secret path") });
    },
  );

  it("takes a store that fails for one that has nothing, and reports it", async () => {
    const store = new MemoryPermissionStore();
    for (const rules of [
      () => Promise.reject(new Error("down")),
      () => {
        throw new Error("down");
      },
    ]) {
      const failing = Object.assign(Object.create(store) as MemoryPermissionStore, { rules });
      const { policy, reports } = policyOf([allow("Bash(ls)")], { store: failing });
      expect((await policy.evaluate(request(bash("ls")))).effect).toBe("allow");
      expect((await policy.evaluate(request(bash("pwd")))).effect).toBe("ask");
      expect(reports.length).toBe(2);
    }
  });
});

describe("RulePolicy, learning", () => {
  it("keeps what it learns in the store, for that session alone", async () => {
    const store = new MemoryPermissionStore();
    const { policy } = policyOf([], { store });
    const learned = await policy.learn(request(bash("npm test")));
    expect(store.rules("s")).toEqual([learned]);
    expect((await policy.evaluate(request(bash("npm test")))).effect).toBe("allow");
    expect((await policy.evaluate(request(bash("npm test"), { sessionId: "t" }))).effect).toBe("ask");
    store.forget("s");
    expect((await policy.evaluate(request(bash("npm test")))).effect).toBe("ask");
  });

  it("records nothing when it is only asked what it would learn", async () => {
    const store = new MemoryPermissionStore();
    const { policy } = policyOf([], { store });
    expect(await policy.learnable(request(bash("npm test")))).toMatchObject({ pattern: "npm test" });
    expect(store.rules("s")).toEqual([]);
  });

  it.each([
    [[ask("Bash(npm:*)")], "an operator's ask"],
    [[deny("Bash(npm:*)")], "a deny"],
  ])("offers nothing that would not answer %j: %s", async (rules) => {
    const { policy } = policyOf(rules);
    expect(await policy.learnable(request(bash("npm test")))).toBeNull();
  });

  it.each(["rm x", "ls && ls", "cat $(ls)", "ls > f"])("offers nothing for %s", async (command) => {
    const { policy } = policyOf([]);
    expect(await policy.learnable(request(bash(command)))).toBeNull();
  });

  it("offers a command that changes files where these are allowed", async () => {
    const { policy } = policyOf([allow("Remove(tmp/**)")]);
    const workspace = memoryWorkspace({});
    expect(await policy.learn(request(bash("rm tmp/x"), { workspace }))).toMatchObject({
      pattern: "rm tmp/x",
    });
    expect((await policy.evaluate(request(bash("rm tmp/x"), { workspace }))).effect).toBe("allow");
  });

  it("does not let what was learned lift plan mode, a deny or an operator's ask that comes later", async () => {
    let rules: Rule[] = [];
    const { policy } = policyOf({ resolve: () => set(rules) });
    await policy.learn(request(bash("npm test")));
    await policy.learn(request(file("Write", "a")));
    expect((await policy.evaluate(request(file("Write", "a")))).effect).toBe("allow");
    expect((await policy.evaluate(request(file("Write", "a"), { mode: "plan" }))).effect).toBe("deny");
    expect((await policy.evaluate(request(bash("npm test"), { mode: "plan" }))).effect).toBe("deny");
    rules = [ask("Bash(npm:*)")];
    expect((await policy.evaluate(request(bash("npm test")))).effect).toBe("ask");
    rules = [deny("Bash(npm:*)")];
    expect((await policy.evaluate(request(bash("npm test")))).effect).toBe("deny");
  });

  it("notices what another process learned for the session", async () => {
    const store = new MemoryPermissionStore();
    const { policy } = policyOf([], { store });
    expect((await policy.evaluate(request(bash("npm test")))).effect).toBe("ask");
    store.record("s", allow("Bash(npm test)", { exact: true }));
    expect((await policy.evaluate(request(bash("npm test")))).effect).toBe("allow");
  });
});

describe("RulePolicy, with a store that was tampered with or is damaged", () => {
  const exactly = { scope: "user", tool: "Bash", pattern: "npm x", effect: "allow", exact: true };
  const storeOf = (rules: unknown): PermissionStore => ({
    record: () => undefined,
    rules: () => rules as Rule[],
    forget: () => undefined,
  });

  it.each([
    ["is not exact", [{ ...exactly, pattern: "npm *", exact: false }]],
    ["does not say that it is exact", [{ ...exactly, exact: undefined }]],
    ["is exact in another spelling", [{ ...exactly, exact: "true" }]],
    ["is for every text", [{ ...exactly, pattern: "" }]],
    ["is for every tool", [{ ...exactly, tool: "" }]],
    ["has no text", [{ ...exactly, pattern: undefined }]],
    ["is of another scope", [{ ...exactly, scope: "managed" }]],
    ["is for nobody we know", [{ ...exactly, audience: "everyone" }]],
    ["is no allow", [{ ...exactly, effect: "deny" }]],
    ["is no rule", [null, "Bash", 7, []]],
    ["is no list", { length: 1 }],
    ["is nothing", null],
  ])("passes over what %s, and says so once", async (_, given) => {
    const { policy, reports } = policyOf([], { store: storeOf(given) });
    for (const _again of [1, 2])
      expect(await policy.evaluate(request(bash("npm x")))).toMatchObject({ effect: "ask" });
    expect(reports).toMatchObject([{ level: "warn" }]);
  });

  it("honours the exact allows beside it", async () => {
    const { policy } = policyOf([], { store: storeOf([{ ...exactly, exact: false }, null, exactly]) });
    expect((await policy.evaluate(request(bash("npm x")))).effect).toBe("allow");
    expect((await policy.evaluate(request(bash("npm y")))).effect).toBe("ask");
  });
});

describe("RulePolicy.problems", () => {
  it("has those of the source and rules whose tool is unknown", async () => {
    const problem = { file: "f", text: "x", message: "m" };
    const { policy } = policyOf(
      { rules: [deny("Bsah(rm:*)"), allow("deploy")], problems: [problem], failClosed: null },
      { knownTools: ["deploy"] },
    );
    expect((await policy.problems()).map(({ text }) => text)).toEqual(["x", "Bsah(rm:*)"]);
  });
});
