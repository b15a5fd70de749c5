import { type AskAnswer, type GrantStore, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { type ScriptedAnswer, scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import type { PermissionMiddleware } from "../../src/index.js";
import { deferred, gateRig, gateSaying, turn } from "../support/gate-rig.js";

const ASK = PermissionCheck.ask("run?");

/** A gate that asks, with a store, whose resolver gives these answers. */
function rememberingRig(
  answers: readonly ScriptedAnswer[],
  change: (gate: PermissionMiddleware) => void = () => {},
) {
  const store = new MemoryGrantStore();
  const resolver = scriptedResolver(answers);
  const gate = gateSaying(ASK)
    .withGrants(store, { rememberTools: ["t"] })
    .withAskResolver(resolver);
  change(gate);
  return { ...gateRig(gate), store, resolver };
}

describe("an answer that cannot be remembered goes through, is not saved and is reported", () => {
  it.each<[string, AskAnswer]>([
    ["for the tool, which is not on offer", { resolution: "Approve", remember: "this_tool" }],
    ["for a session, without a policy", { resolution: "Approve", remember: "session" }],
  ])("%s", async (_, answer) => {
    const store = new MemoryGrantStore();
    const gate = gateSaying(ASK)
      .withGrants(store)
      .withAskResolver(scriptedResolver([answer]));
    const { invoke, reports } = gateRig(gate);
    expect((await invoke()).output).toBe("ran");
    expect(await store.load()).toEqual([]);
    expect(reports.map(({ message }) => message)).toEqual([
      `An answer about tool 't' was not remembered: '${answer.remember}' was not on offer.`,
    ]);
  });

  it("where there is no store at all", async () => {
    const resolver = scriptedResolver([{ resolution: "Approve", remember: "this_call" }]);
    const { invoke, reports } = gateRig(gateSaying(ASK).withAskResolver(resolver));
    expect((await invoke()).output).toBe("ran");
    expect(reports).toHaveLength(1);
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      "throws",
      () => {
        throw new Error("disk full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("disk full"))],
  ])("where saving %s", async (_, save) => {
    const store: GrantStore = Object.assign(new MemoryGrantStore(), { save });
    for (const [resolution, output] of [
      ["Approve", "ran"],
      ["Deny", "Permission denied by user for tool 't'"],
    ] as const) {
      const resolver = scriptedResolver([{ resolution, remember: "this_call" }]);
      const { invoke, errors } = gateRig(gateSaying(ASK).withGrants(store).withAskResolver(resolver));
      expect((await invoke()).output).toBe(output);
      expect(errors()).toEqual([
        {
          level: "error",
          message: "A grant could not be saved for a call of tool 't'.",
          cause: new Error("disk full"),
        },
      ]);
    }
  });

  it("where saving hangs, once its time is up", async () => {
    const store: GrantStore = Object.assign(new MemoryGrantStore(), {
      save: () => new Promise<never>(() => {}),
    });
    const resolver = scriptedResolver([{ resolution: "Approve", remember: "this_call" }]);
    const { invoke, clock, errors } = gateRig(gateSaying(ASK).withGrants(store).withAskResolver(resolver));
    const running = invoke();
    await turn();
    clock.advance(30_000);
    expect((await running).output).toBe("ran");
    expect(errors()).toHaveLength(1);
  });

  it.each(["replaced by one that describes itself differently", "removed"])(
    "where the tool was %s while the question waited",
    async (how) => {
      const answer = deferred<AskAnswer>();
      const { invoke, store, inputs, registry, tool, warnings } = rememberingRig([() => answer.promise]);
      const running = invoke();
      await turn();
      if (how === "removed") registry.remove("t");
      else registry.replace({ ...tool, description: "Says something else", call: () => "another" });
      answer.resolve({ resolution: "Approve", remember: "this_call" });
      expect((await running).output).toBe("ran");
      expect(inputs).toHaveLength(1);
      expect(await store.load()).toEqual([]);
      expect(warnings().map(({ message }) => message)).toEqual([
        "An answer about tool 't' was not remembered: the tool's descriptor changed while the question waited.",
      ]);
    },
  );
});
