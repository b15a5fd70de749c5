import type { PermissionStore, Rule } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { permissionStoreSuite } from "../../src/index.js";
import { failuresOf } from "../support/failures-of.js";
import { MemoryRules } from "../support/memory-permission-store.js";

describe("a store in memory", () => {
  permissionStoreSuite({ it, create: () => new MemoryRules(), mostRules: 256 });
});

describe("a store in memory that others share", () => {
  permissionStoreSuite({ it, create: () => new MemoryRules(), reopen: (store) => store });
});

describe("the suite reports a broken store", () => {
  it("whose sessions share their rules", async () => {
    class Sharing extends MemoryRules {
      override rules() {
        return super.rules("all");
      }
      override record(_: string, rule: Rule) {
        return super.record("all", rule);
      }
      override forget() {
        return super.forget("all");
      }
    }
    expect(await failuresOn(() => new Sharing())).toEqual([
      "keeps sessions apart, whatever they are called",
      "two sessions may learn the same rule, each in its own order",
      "forgets one session, which may learn again",
      "drops what comes after 256 rules, in one session alone",
    ]);
  });

  it("that keeps sessions as members of a plain object", async () => {
    expect(await failuresOn(() => new PlainObject())).toContain(
      "keeps sessions apart, whatever they are called",
    );
  });

  it("that loses the order", async () => {
    class Sorting extends MemoryRules {
      override async rules(sessionId: string) {
        return (await super.rules(sessionId)).sort((left, right) => (left.pattern < right.pattern ? -1 : 1));
      }
    }
    expect(await failuresOn(() => new Sorting())).toContain("keeps the order in which rules were recorded");
  });

  it("that moves a rule recorded again to the end", async () => {
    class Moving extends MemoryRules {
      override async record(sessionId: string, rule: Rule) {
        const others = (await super.rules(sessionId)).filter(({ pattern }) => pattern !== rule.pattern);
        await super.forget(sessionId);
        for (const each of [...others, rule]) await super.record(sessionId, each);
      }
    }
    expect(await failuresOn(() => new Moving())).toContain(
      "keeps a rule that is recorded again once, in its first place",
    );
  });

  it("that gives its own objects away", async () => {
    class Careless extends MemoryRules {
      override async rules(sessionId: string) {
        return [...(this.sessions.get(sessionId)?.values() ?? [])];
      }
    }
    expect(await failuresOn(() => new Careless())).toEqual([
      "what the caller does to a rule or a list that it gave or got changes nothing",
    ]);
  });

  it("that forgets everybody", async () => {
    class Amnesiac extends MemoryRules {
      override async forget() {
        this.sessions.clear();
      }
    }
    expect(await failuresOn(() => new Amnesiac())).toEqual(["forgets one session, which may learn again"]);
  });

  it("that makes room by dropping the oldest", async () => {
    class Rolling extends MemoryRules {
      override async record(sessionId: string, rule: Rule) {
        const kept = this.sessions.get(sessionId);
        if (kept?.size === 256) kept.delete([...kept.keys()][0] ?? "");
        await super.record(sessionId, rule);
      }
    }
    expect(await failuresOn(() => new Rolling())).toEqual([
      "drops what comes after 256 rules, in one session alone",
    ]);
  });
});

/** Keeps sessions under their ids, like what every object inherits. */
class PlainObject implements PermissionStore {
  readonly #sessions: { [sessionId: string]: Rule[] } = {};

  record(sessionId: string, rule: Rule): void {
    this.#sessions[sessionId] = [...this.rules(sessionId), structuredClone(rule)];
  }

  rules(sessionId: string): Rule[] {
    return structuredClone(this.#sessions[sessionId] ?? []);
  }

  forget(sessionId: string): void {
    delete this.#sessions[sessionId];
  }
}

/** The titles of the suite's tests that fail on this store. */
function failuresOn(create: () => PermissionStore): Promise<string[]> {
  return failuresOf((it) => permissionStoreSuite({ it, create, mostRules: 256 }));
}
