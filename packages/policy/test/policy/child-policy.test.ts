import type { Rule, RuleSet } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { childFloorRules, createChildPolicy, definePermissions, RulePolicy } from "../../src/index.js";
import { allow, ask, deny } from "../evaluate/rule-samples.js";
import { bash, file, request } from "./policy-requests.js";

const set = (rules: readonly Rule[], failClosed: string | null = null): RuleSet => ({
  rules,
  problems: [],
  failClosed,
});

describe("createChildPolicy", () => {
  it("allows what nothing speaks against, and knows no builtin asks", async () => {
    const child = createChildPolicy(new RulePolicy({ rules: [] }), []);
    expect((await child.evaluate(request(bash("python3 script.py")))).effect).toBe("allow");
    expect((await child.evaluate(request(bash("cat $(zap)")))).effect).toBe("ask");
  });

  it("is bound by every deny of the parent that binds subagents, as it stands at the moment", async () => {
    let rules = [
      deny("Bash(rm:*)"),
      deny("Bash(dd:*)", { audience: "main" }),
      ask("Bash(git:*)"),
      allow("Bash(zap)"),
    ];
    const child = createChildPolicy(new RulePolicy({ rules: { resolve: () => set(rules) } }), [
      ask("Bash(zip:*)"),
    ]);
    const effect = async (command: string) => (await child.evaluate(request(bash(command)))).effect;
    expect(await effect("rm x")).toBe("deny");
    expect(await effect("dd if=x")).toBe("allow");
    expect(await effect("git push")).toBe("allow");
    expect(await effect("zip x")).toBe("ask");
    rules = [deny("Bash(zap:*)")];
    expect(await effect("zap")).toBe("deny");
    expect(await effect("zip x")).toBe("ask");
  });

  it("reads calls by options that are accessors of a class", async () => {
    class Settings {
      get toolKinds() {
        return { put_file: "Write" };
      }
    }
    const child = createChildPolicy(
      new RulePolicy({ rules: [deny("Write(secret/**)")] }),
      [],
      new Settings(),
    );
    expect((await child.evaluate(request(file("put_file", "secret/a")))).effect).toBe("deny");
  });

  it("judges as a subagent's whatever a request says", async () => {
    const rules = definePermissions({ allow: ["Bash"], subagent: { deny: ["Bash(rm:*)"] } });
    const child = createChildPolicy(new RulePolicy({ rules: [] }), rules);
    for (const audience of ["main", "all", "subagent"] as const)
      expect((await child.evaluate(request(bash("rm x"), { audience }))).effect).toBe("deny");
  });

  it("passes denies on through generations", async () => {
    let rules = [deny("Bash(rm:*)")];
    const parent = new RulePolicy({ rules: { resolve: async () => set(rules) } });
    const child = createChildPolicy(parent, [deny("Bash(dd:*)")]);
    const grandchild = createChildPolicy(child, []);
    const effect = async (command: string) => (await grandchild.evaluate(request(bash(command)))).effect;
    expect([await effect("rm x"), await effect("dd x")]).toEqual(["deny", "deny"]);
    rules = [];
    expect([await effect("zap x"), await effect("dd x")]).toEqual(["allow", "deny"]);
  });

  it("reads calls as its parent does", async () => {
    const parent = new RulePolicy({ rules: [deny("Edit(secret/**)")], toolKinds: { edit_file: "Edit" } });
    const child = createChildPolicy(parent, []);
    expect((await child.evaluate(request(file("edit_file", "secret/a")))).effect).toBe("deny");
    const other = createChildPolicy(parent, [], { toolKinds: { edit_file: "Edit", run: "Bash" } });
    expect((await other.evaluate(request({ tool: "run", input: {} }))).effect).toBe("ask");
  });

  it("is closed where its parent or its own rules fail", async () => {
    const failing = { resolve: () => Promise.reject(new Error("down")) };
    const onReport = () => {};
    const closed = createChildPolicy(new RulePolicy({ rules: failing, onReport }), []);
    expect(await closed.evaluate(request(bash("ls")))).toMatchObject({ effect: "ask", configuredAsk: true });
    const own = createChildPolicy(new RulePolicy({ rules: [deny("Bash(rm:*)")] }), failing, { onReport });
    expect((await own.evaluate(request(bash("ls")))).effect).toBe("ask");
    const said = createChildPolicy(new RulePolicy({ rules: set([], "damaged") }), []);
    expect((await said.evaluate(request(bash("ls")))).reason).toBe("damaged");
  });

  it("loses none of its parent's reading by options of its own", async () => {
    const rules = [deny("Edit(secret/**)"), deny("Write(secret/**)"), deny("put(secret)")];
    const parent = new RulePolicy({
      rules,
      toolKinds: { edit_file: "Edit", put_file: "Write" },
      targetKeys: { put: ["row"], Edit: ["path", "target"] },
    });
    const child = createChildPolicy(parent, [], {
      toolKinds: { edit_file: "Read", Edit: "Read", run: "Bash" },
      targetKeys: { put: ["other"], Edit: ["x"], edit_file: ["x"], Write: ["y"], Copy: ["from", "to"] },
    });
    const effect = async (tool: string, input: { [key: string]: string }) =>
      (await child.evaluate(request({ tool, input }))).effect;
    expect(await effect("put", { row: "secret" })).toBe("deny");
    for (const tool of ["edit_file", "Edit"]) expect(await effect(tool, { target: "secret/a" })).toBe("deny");
    expect(await effect("edit_file", { x: "secret/a" })).toBe("deny");
    for (const key of ["path", "y"]) expect(await effect("put_file", { [key]: "secret/a" })).toBe("deny");
    expect(await effect("Copy", { source: "a", destination: "secret/a" })).toBe("deny");
    expect(await effect("run", { command: "ls" })).toBe("allow");
  });

  it("takes options that are undefined for none", async () => {
    const parent = new RulePolicy({ rules: [deny("Edit(secret/**)")], toolKinds: { edit_file: "Edit" } });
    const options = { toolKinds: undefined, targetKeys: undefined, dialect: undefined } as object;
    const child = createChildPolicy(parent, [], options);
    expect((await child.evaluate(request(file("edit_file", "secret/a")))).effect).toBe("deny");
  });

  it("may have a tool of its own with keys of its own", async () => {
    const parent = new RulePolicy({ rules: [deny("Read(secret/**)")] });
    const child = createChildPolicy(parent, [], {
      toolKinds: { cp: "Copy" },
      targetKeys: { cp: ["from", "to"] },
    });
    const effect = async (from: string) =>
      (await child.evaluate(request({ tool: "cp", input: { from, to: "b" } }))).effect;
    expect([await effect("secret/a"), await effect("a")]).toEqual(["deny", "allow"]);
  });

  it("is bound by its parent's denies where its own rules never could be had", async () => {
    const onReport = () => {};
    for (const resolve of [() => Promise.reject(new Error("down")), () => undefined as unknown as RuleSet]) {
      const child = createChildPolicy(
        new RulePolicy({ rules: [deny("Bash(rm:*)")] }),
        { resolve },
        { onReport },
      );
      expect((await child.evaluate(request(bash("rm x")))).effect).toBe("deny");
      expect((await child.evaluate(request(bash("ls")))).effect).toBe("ask");
    }
  });

  it("keeps what it learns apart from its parent", async () => {
    const parent = new RulePolicy({ rules: [] });
    const child = createChildPolicy(parent, []);
    await parent.learn(request(bash("npm test")));
    expect((await parent.evaluate(request(bash("npm test")))).effect).toBe("allow");
    expect(await child.learnable(request(bash("ls")))).not.toBeNull();
    expect(childFloorRules()).toEqual([{ scope: "builtin", tool: "", pattern: "", effect: "allow" }]);
  });
});
