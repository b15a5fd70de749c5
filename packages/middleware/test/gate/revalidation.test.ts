import { type AskAnswer, PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, TimeoutMiddleware, type Tool } from "../../src/index.js";
import { deferred, gateRig, INPUT, recordOf, turn } from "../support/gate-rig.js";

type Parse = NonNullable<Tool["parse"]>;

/** Takes inputs with a `path` that is a text, and trims it. */
const parse: Parse = (input) => {
  const { path } = (input ?? {}) as { path?: unknown };
  return typeof path === "string" ? { value: { path: path.trim() } } : { error: "path: expected a string" };
};

const rewriting = (input: unknown) =>
  PermissionMiddleware.fromContext().withNamedCheck("own", () => PermissionCheck.modify(input as never));

/** Takes the model's input as it is, and judges every later one by `later`. */
const judgingLater = (later: Parse): Parse => {
  let judged = 0;
  return (input) => (judged++ === 0 ? { value: input } : later(input));
};

describe("a rewritten input", () => {
  it("is not validated unless the gate says so", async () => {
    const { invoke, inputs } = gateRig(rewriting({ path: 7 }), { tool: { parse } });
    expect((await invoke()).gate?.verdict).toBe("allow_modified");
    expect(inputs).toEqual([{ path: 7 }]);
  });

  it("is denied with the validator's words by a gate that revalidates", async () => {
    const { invoke, inputs } = gateRig(rewriting({ path: 7 }).revalidatingModify(), { tool: { parse } });
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("deny", "own", "middleware", "path: expected a string"));
    expect(result.output).toBe("Permission path: expected a string for tool 't'");
    expect(inputs).toEqual([]);
  });

  it("runs as the validator makes it of a gate that revalidates, at once or later", async () => {
    for (const tool of [{ parse }, { parse: async (input: never) => parse(input) }]) {
      const { invoke, inputs } = gateRig(rewriting({ path: " /safe " }).revalidatingModify(), { tool });
      expect((await invoke()).gate?.verdict).toBe("allow_modified");
      expect(inputs).toEqual([{ path: "/safe" }]);
    }
  });

  it("passes a gate that revalidates where the tool has no validator", async () => {
    const { invoke, inputs } = gateRig(rewriting({ path: 7 }).revalidatingModify());
    await invoke();
    expect(inputs).toEqual([{ path: 7 }]);
  });

  it("from an approver is validated too, and refused under the gate's own id", async () => {
    const answer: AskAnswer = { resolution: "Approve", modified_input: { path: 7 } };
    const gate = PermissionMiddleware.fromContext()
      .withNamedCheck("own", () => PermissionCheck.ask("run?"))
      .withAskResolver(scriptedResolver([answer]))
      .revalidatingModify();
    const { invoke, inputs } = gateRig(gate, { tool: { parse } });
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("deny", "own", "middleware", "path: expected a string"));
    expect(result.trail).toHaveLength(2);
    expect(inputs).toEqual([]);
  });
});

describe("a validator that fails on a rewritten input denies as policy error", () => {
  const thrower = (): never => {
    throw new Error("secret");
  };
  it.each<[string, Parse]>([
    ["throws", thrower],
    ["rejects", async () => thrower()],
    ["gives undefined", () => undefined as never],
    ["promises undefined", async () => undefined as never],
    ["gives neither value nor error", () => ({}) as never],
    ["promises an error that is no text", async () => ({ error: 1 }) as never],
  ])("when it %s, and that is reported", async (_, later) => {
    const { invoke, inputs, errors } = gateRig(rewriting({ path: "/safe" }).revalidatingModify(), {
      tool: { parse: judgingLater(later) },
    });
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("deny", "own", "engine", "policy error"));
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(inputs).toEqual([]);
    expect(errors()).toHaveLength(1);
  });

  it("when it makes something of it that JSON cannot hold", async () => {
    for (const made of [{ value: { at: new Date(0) } }, Promise.resolve({ value: { at: new Date(0) } })]) {
      const { invoke, inputs } = gateRig(rewriting({ path: "/safe" }).revalidatingModify(), {
        tool: { parse: judgingLater(() => made) },
      });
      expect((await invoke()).gate).toEqual(
        recordOf("deny", "own", "engine", "policy error: not_json at $.at"),
      );
      expect(inputs).toEqual([]);
    }
  });

  it("when it does not answer in time", async () => {
    const { invoke, clock, inputs } = gateRig(rewriting({ path: "/safe" }).revalidatingModify(), {
      tool: { parse: judgingLater(() => new Promise(() => {})) },
    });
    const running = invoke();
    await turn();
    clock.advance(30_000);
    expect((await running).gate).toEqual(recordOf("deny", "own", "engine", "policy error"));
    expect(inputs).toEqual([]);
  });
});

describe("a validator that is still at work on a rewritten input", () => {
  it("keeps the tool from running when a layer outside gives up; no gate has decided by then", async () => {
    const layers = [new TimeoutMiddleware(1_000), rewriting({ path: "/safe" }).revalidatingModify()];
    const { invoke, clock, inputs } = gateRig(layers, {
      tool: { parse: judgingLater(() => new Promise(() => {})) },
    });
    const running = invoke();
    await turn();
    clock.advance(1_000);
    const result = await running;
    expect(result.errorKind).toBe("timeout");
    expect(result.gate).toBeNull();
    await turn();
    expect(inputs).toEqual([]);
    expect(result.trail).toEqual([]);
  });
});

it("a call cancelled while its rewrite is validated ends as cancelled, not as an error of the validator", async () => {
  const parsing = deferred<{ value: unknown }>();
  const cancel = new AbortController();
  const { invoke, inputs, errors } = gateRig(rewriting({ path: "/safe" }).revalidatingModify(), {
    tool: { parse: judgingLater(() => parsing.promise) },
  });
  const running = invoke({ signal: cancel.signal });
  await turn();
  cancel.abort();
  parsing.resolve({ value: INPUT });
  expect((await running).gate).toEqual(recordOf("cancelled", "own", "engine", "cancelled while deciding"));
  expect(inputs).toEqual([]);
  expect(errors()).toEqual([]);
});
