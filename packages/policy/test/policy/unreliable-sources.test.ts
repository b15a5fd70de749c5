import type { RuleSet } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { RulePolicy } from "../../src/index.js";
import { allow, deny } from "../evaluate/rule-samples.js";
import { bash, request } from "./policy-requests.js";

const KNOWN = [allow("Bash"), deny("Bash(rm:*)")];
const open = (rules: RuleSet["rules"]): RuleSet => ({ rules, problems: [], failClosed: null });
const onReport = () => {};
const effectOf = async (policy: RulePolicy, command: string) =>
  (await policy.evaluate(request(bash(command)))).effect;
const { pattern: _, ...withoutPattern } = deny("Bash(dd:*)");

const MALFORMED: [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a text", "rules"],
  ["an empty object", {}],
  ["rules that are null", { rules: null, problems: [], failClosed: null }],
  ["a rule without pattern", open([...KNOWN, withoutPattern as never])],
  ["a rule that is null", open([null as never])],
  ["a hole among rules", open(new Array(1))],
  ["a rule of an effect that is none", open([{ ...allow("Bash"), effect: "permit" as never }])],
  ["a rule for an audience that is none", open([deny("Bash", { audience: "nobody" as never })])],
  ["no word on whether it can be trusted", { rules: KNOWN, problems: [] }],
  [
    "an object that throws",
    {
      get rules() {
        throw new Error("down");
      },
    },
  ],
];

describe("a source of rules that gives something else", () => {
  it.each(MALFORMED)("asks about everything and keeps known denies: %s", async (_name, given) => {
    for (const wrap of [(value: unknown) => value, (value: unknown) => Promise.resolve(value)]) {
      let next: unknown = open(KNOWN);
      const policy = new RulePolicy({ rules: { resolve: () => wrap(next) as RuleSet }, onReport });
      expect(await effectOf(policy, "ls")).toBe("allow");
      next = given;
      expect(await policy.evaluate(request(bash("ls")))).toMatchObject({
        effect: "ask",
        configuredAsk: true,
        reason: "the permission rules could not be had",
      });
      expect(await effectOf(policy, "rm x")).toBe("deny");
      expect(await policy.problems()).toEqual([]);
      next = open(KNOWN);
      expect(await effectOf(policy, "ls")).toBe("allow");
    }
  });

  it.each(MALFORMED)("asks where it is given in place of rules: %s", async (_name, given) => {
    const policy = new RulePolicy({ rules: given as RuleSet, onReport });
    expect(await effectOf(policy, "ls")).toBe("ask");
  });

  it("denies what the rest of it denies", async () => {
    const policy = new RulePolicy({ rules: [withoutPattern as never, ...KNOWN], onReport });
    expect([await effectOf(policy, "rm x"), await effectOf(policy, "ls")]).toEqual(["deny", "ask"]);
  });
});

describe("a source of rules that fails for a new reader of a known workspace", () => {
  const reader = (root: string) => memoryWorkspace({}, { root });
  const effectAt = async (policy: RulePolicy, root: string, command = "rm x") =>
    (await policy.evaluate({ ...request(bash(command)), workspace: reader(root) })).effect;

  it.each([
    ["throws", new Error("down")],
    ["gives something else", null],
    ["cannot be trusted", { rules: [], problems: [], failClosed: "broken" }],
  ])("keeps what is known to be denied there, and there alone: it %s", async (_, given) => {
    let next: unknown = open(KNOWN);
    const resolve = () => {
      if (next instanceof Error) throw next;
      return next as RuleSet;
    };
    const policy = new RulePolicy({ rules: { resolve }, onReport });
    expect(await effectAt(policy, "/a", "ls")).toBe("allow");
    next = given;
    expect([await effectAt(policy, "/a"), await effectAt(policy, "/a", "ls")]).toEqual(["deny", "ask"]);
    expect(await effectAt(policy, "/a")).toBe("deny");
    expect(await effectAt(policy, "/b")).toBe("ask");
    next = open([allow("Bash")]);
    expect([await effectAt(policy, "/a"), await effectAt(policy, "/a", "ls")]).toEqual(["ask", "allow"]);
    next = given;
    expect(await effectAt(policy, "/a")).toBe("ask");
  });

  it("forgets the workspace of longest ago beyond a thousand", async () => {
    let fails = false;
    const resolve = () => {
      if (fails) throw new Error("down");
      return open(KNOWN);
    };
    const policy = new RulePolicy({ rules: { resolve }, onReport });
    for (let number = 0; number < 1_001; number++) await effectAt(policy, `/w${number}`);
    fails = true;
    expect([await effectAt(policy, "/w1000"), await effectAt(policy, "/w0")]).toEqual(["deny", "ask"]);
  });
});

describe("a source of rules that is slow", () => {
  it("does not bring old rules back by answering late", async () => {
    const answers: ((set: RuleSet) => void)[] = [];
    let fails = false;
    const policy = new RulePolicy({
      rules: {
        resolve() {
          if (fails) throw new Error("down");
          return new Promise<RuleSet>((resolve) => answers.push(resolve));
        },
      },
      onReport,
    });
    const early = policy.evaluate(request(bash("rm x")));
    const late = policy.evaluate(request(bash("rm x")));
    answers[1]?.(open(KNOWN));
    expect((await late).effect).toBe("deny");
    answers[0]?.(open([allow("Bash")]));
    expect((await early).effect).toBe("deny");
    fails = true;
    expect(await effectOf(policy, "rm x")).toBe("deny");
  });
});

describe("a source of rules that closes", () => {
  it("keeps what was denied until it opens again", async () => {
    let next = open(KNOWN);
    const policy = new RulePolicy({ rules: { resolve: () => next } });
    expect(await effectOf(policy, "rm x")).toBe("deny");
    next = { rules: [deny("Bash(dd:*)")], problems: [], failClosed: "damaged" };
    for (const _round of [1, 2, 3]) {
      expect(await effectOf(policy, "rm x")).toBe("deny");
      expect(await effectOf(policy, "dd x")).toBe("deny");
      expect((await policy.evaluate(request(bash("ls")))).reason).toBe("damaged");
      next = { ...next, rules: [deny("Bash(dd:*)")] };
    }
    expect((await policy.rules()).rules).toHaveLength(2);
    next = open([allow("Bash")]);
    expect([await effectOf(policy, "ls"), await effectOf(policy, "dd x")]).toEqual(["allow", "allow"]);
  });
});

describe("a list of rules that is changed in place", () => {
  it("is read anew, whether a rule is replaced or changed", async () => {
    const rules = [allow("Bash(ls)"), allow("Bash(pwd)")];
    const policy = new RulePolicy({ rules });
    expect([await effectOf(policy, "ls"), await effectOf(policy, "pwd")]).toEqual(["allow", "allow"]);
    rules[0] = deny("Bash(ls)");
    expect(await effectOf(policy, "ls")).toBe("deny");
    Object.assign(rules[1] ?? {}, { effect: "deny" });
    expect(await effectOf(policy, "pwd")).toBe("deny");
  });
});

describe("a report that fails", () => {
  it.each<[string, () => void]>([
    [
      "throws",
      () => {
        throw new Error("no log");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no log")) as unknown as undefined],
  ])("changes no decision where it %s", async (_how, failing) => {
    for (const resolve of [() => Promise.reject(new Error("down")), () => undefined as unknown as RuleSet]) {
      const policy = new RulePolicy({ rules: { resolve }, onReport: failing });
      expect(await effectOf(policy, "ls")).toBe("ask");
    }
  });
});
