import { describeVectors, type RuleStoreStep } from "@x/conformance";
import type { Rule } from "@x/permission-core";
import { expect, it } from "vitest";
import { learnRule, MemoryPermissionStore } from "../../src/index.js";

describeVectors("mecatl/learn", {
  it,
  run({ call, expectRule }) {
    expect(learnRule(call)).toEqual(expectRule);
  },
});

describeVectors("mecatl/store", {
  it,
  run({ steps }) {
    const store = new MemoryPermissionStore();
    for (const step of steps) take(store, step);
  },
});

function take(store: MemoryPermissionStore, step: RuleStoreStep): void {
  switch (step.op) {
    case "record":
      store.record(step.session, step.rule);
      break;
    case "recordMany":
      for (let number = step.from; number <= step.to; number++)
        store.record(step.session, exactAllow(step.tool, `${step.patternPrefix}${number}`));
      break;
    case "count":
      expect(store.rules(step.session).length).toBe(step.expect);
      break;
    case "hasPattern":
      expect(store.rules(step.session).some(({ pattern }) => pattern === step.pattern)).toBe(step.expect);
  }
}

function exactAllow(tool: string, pattern: string): Rule {
  return { scope: "user", tool, pattern, effect: "allow", exact: true, audience: "all" };
}
