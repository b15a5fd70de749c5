import { type AskFunction, type AskResolver, PermissionCheck } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { gateRig, gateSaying, INPUT, recordOf } from "../support/gate-rig.js";

const ASK = PermissionCheck.ask("deploy to prod?");
const UNRESOLVED = "permission required: deploy to prod?";
const TEXT = "Permission required: deploy to prod? for tool 't' (no approver available)";
const unattended = { toolContext: { isNonInteractive: true } };

/** Counts the prompts that it is asked to make. */
function counting(interactive?: boolean) {
  let prompts = 0;
  const resolver: AskResolver = {
    ...(interactive === undefined ? undefined : { interactive }),
    resolve() {
      prompts++;
      return "Approve";
    },
  };
  return { resolver, prompts: () => prompts };
}

describe("[CASE-136] a question that nobody can be asked is refused at once", () => {
  it("where there is no resolver, and the model reads that there is none", async () => {
    const gate = PermissionMiddleware.fromContext().withNamedCheck("own", () => ASK);
    const { invoke, inputs, clock, warnings } = gateRig(gate);
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("ask_unresolved", "own", "middleware", UNRESOLVED));
    expect(result).toMatchObject({ output: TEXT, isError: true, errorKind: "permission", durationMs: 0 });
    expect(inputs).toEqual([]);
    expect(clock.timerCount).toBe(0);
    expect(warnings()).toHaveLength(1);
  });

  it("under the claim's source where the claim asked", async () => {
    const result = await gateRig(PermissionMiddleware.fromContext()).invoke({ permission: ASK });
    expect(result.gate).toEqual(recordOf("ask_unresolved", "context", "context", UNRESOLVED));
  });

  it("also with a deadline set, which is not waited for", async () => {
    const { invoke, clock } = gateRig(gateSaying(ASK).withAskTimeout(60_000));
    expect((await invoke()).gate?.verdict).toBe("ask_unresolved");
    expect(clock.timerCount).toBe(0);
  });

  it.each<[string, boolean | undefined]>([
    ["needs somebody at this process", true],
    ["does not say", undefined],
  ])("in an unattended run whose resolver %s, without a prompt", async (_, interactive) => {
    const { resolver, prompts } = counting(interactive);
    const { invoke, inputs } = gateRig(gateSaying(ASK).withAskResolver(resolver));
    const result = await invoke(unattended);
    expect(result.gate).toEqual(recordOf("ask_unresolved", "middleware", "middleware", UNRESOLVED));
    expect(result.output).toBe(TEXT);
    expect(inputs).toEqual([]);
    expect(prompts()).toBe(0);
  });

  it("in an unattended run whose resolver is a plain function, without a call of it", async () => {
    let calls = 0;
    const approve: AskFunction = () => {
      calls++;
      return true;
    };
    const { invoke, inputs } = gateRig(gateSaying(ASK).withAskResolver(approve));
    expect((await invoke(unattended)).gate?.verdict).toBe("ask_unresolved");
    expect({ calls, inputs }).toEqual({ calls: 0, inputs: [] });
  });

  it("and nothing is announced to a resolver that was not asked", async () => {
    const settled: string[] = [];
    const resolver: AskResolver = {
      resolve: () => "Approve",
      settled: (_, outcome) => void settled.push(outcome),
    };
    await gateRig(gateSaying(ASK).withAskResolver(resolver)).invoke(unattended);
    expect(settled).toEqual([]);
  });
});

describe("a question that somebody can be asked", () => {
  it("reaches a resolver that needs nobody here, in an unattended run too", async () => {
    const { resolver, prompts } = counting(false);
    const { invoke, inputs } = gateRig(gateSaying(ASK).withAskResolver(resolver));
    expect((await invoke(unattended)).gate?.verdict).toBe("ask_allowed");
    expect(prompts()).toBe(1);
    expect(inputs).toEqual([INPUT]);
  });

  it("tells the resolver whether the run is unattended", async () => {
    const told: boolean[] = [];
    const resolver: AskResolver = {
      interactive: false,
      resolve(_, { isNonInteractive }) {
        told.push(isNonInteractive);
        return "Approve";
      },
    };
    const { invoke } = gateRig(gateSaying(ASK).withAskResolver(resolver));
    await invoke(unattended);
    await invoke();
    expect(told).toEqual([true, false]);
  });

  it.each([true, false, undefined])(
    "reaches a resolver of interactive %s in an attended run",
    async (flag) => {
      const { resolver, prompts } = counting(flag);
      const result = await gateRig(gateSaying(ASK).withAskResolver(resolver)).invoke();
      expect(result.gate?.verdict).toBe("ask_allowed");
      expect(prompts()).toBe(1);
    },
  );

  it("hands a function the prompt, the tool, the ask and a signal", async () => {
    const seen: unknown[] = [];
    const approve: AskFunction = (prompt, toolName, { ask, signal }) => {
      seen.push(prompt, toolName, ask.call_id, signal.aborted);
      return true;
    };
    const result = await gateRig(gateSaying(ASK).withAskResolver(approve)).invoke();
    expect(seen).toEqual(["deploy to prod?", "t", "c1", false]);
    expect(result.gate).toEqual(recordOf("ask_allowed", "ask", "ask_resolver"));
  });

  it("goes to the resolver set last", async () => {
    const first = counting();
    const second = counting();
    await gateRig(gateSaying(ASK).withAskResolver(first.resolver).withAskResolver(second.resolver)).invoke();
    expect([first.prompts(), second.prompts()]).toEqual([0, 1]);
  });
});
