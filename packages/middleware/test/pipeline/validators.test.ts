import type { JsonValue } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type Tool } from "../../src/index.js";
import { deferred, gateRig, INPUT_DIGEST } from "../support/gate-rig.js";

type Parse = NonNullable<Tool["parse"]>;

function rigWith(parse: Parse) {
  let consulted = 0;
  const gate = PermissionMiddleware.fromContext().withCheck(() => {
    consulted++;
    return { kind: "allow" };
  });
  return { ...gateRig(gate, { tool: { parse } }), consulted: () => consulted };
}

describe("the model's input is judged once, before any gate", () => {
  it("and what the validator makes of it is what gates and tool see, under the digest of the call", async () => {
    const seen: JsonValue[] = [];
    const gate = PermissionMiddleware.fromContext().withCheck(({ input }) => {
      seen.push(input);
      return { kind: "allow" };
    });
    let judged = 0;
    const parse: Parse = (input) => {
      judged++;
      return { value: { ...(input as object), added: true } };
    };
    const { invoke, inputs } = gateRig([gate, gate], { tool: { parse } });
    const result = await invoke();
    const parsed = { path: "/tmp/x", added: true };
    expect(seen).toEqual([parsed, parsed]);
    expect(inputs).toEqual([parsed]);
    expect(judged).toBe(1);
    expect(result.gate?.args_digest).toBe(INPUT_DIGEST);
  });

  it("and one that it refuses is a validation error in its words", async () => {
    for (const parse of [() => ({ error: "path: too long" }), async () => ({ error: "path: too long" })]) {
      const { invoke, inputs, consulted } = rigWith(parse);
      const result = await invoke();
      expect(result).toMatchObject({
        output: "Invalid input for tool 't': path: too long",
        isError: true,
        errorKind: "validation",
        gate: null,
        durationMs: 0,
      });
      expect(inputs).toEqual([]);
      expect(consulted()).toBe(0);
    }
  });

  it("and runs as it was given, whatever the caller makes of it while the validator is at work", async () => {
    const wait = deferred<void>();
    const { invoke, inputs } = rigWith(async (given) => {
      await wait.promise;
      return { value: given };
    });
    const input = { path: "/tmp/x" };
    const running = invoke({ input });
    input.path = "/etc";
    wait.resolve();
    expect(await running).toMatchObject({ isError: false });
    expect(inputs).toEqual([{ path: "/tmp/x" }]);
  });
});

describe("a validator that fails refuses, and invoke does not throw", () => {
  const thrower = (): never => {
    throw new Error("secret");
  };
  it.each<[string, Parse]>([
    ["throws", thrower],
    ["rejects", async () => thrower()],
    ["gives undefined", () => undefined as never],
    ["promises undefined", async () => undefined as never],
    ["promises null", async () => null as never],
    ["gives neither value nor error", () => ({}) as never],
    ["promises neither value nor error", async () => ({}) as never],
    ["gives a date", () => ({ value: new Date(0) })],
    ["promises a date", async () => ({ value: new Date(0) })],
  ])("when it %s", async (_, parse) => {
    const { invoke, inputs, consulted } = rigWith(parse);
    const result = await invoke();
    expect(result).toMatchObject({ isError: true, errorKind: "validation", gate: null });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(inputs).toEqual([]);
    expect(consulted()).toBe(0);
  });

  it("when it does not answer in time", async () => {
    const { invoke, clock, consulted, errors } = rigWith(() => new Promise(() => {}));
    const running = invoke();
    clock.advance(30_000);
    expect((await running).errorKind).toBe("validation");
    expect(consulted()).toBe(0);
    expect(errors()).toHaveLength(1);
  });

  it("when the call is cancelled meanwhile, as cancelled", async () => {
    const cancel = new AbortController();
    const { invoke, consulted, errors } = rigWith(() => new Promise(() => {}));
    const running = invoke({ signal: cancel.signal });
    cancel.abort();
    expect(await running).toMatchObject({ errorKind: "cancelled", isError: true, gate: null });
    expect(consulted()).toBe(0);
    expect(errors()).toEqual([]);
  });
});
