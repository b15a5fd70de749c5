import { argsDigest, type JsonValue, PermissionCheck } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { gateRig, INPUT_DIGEST } from "../support/gate-rig.js";
import { engineRig, gateAnswered, MODIFIED } from "../support/rewrite-rig.js";

describe("an approver's own input", () => {
  it.each<JsonValue>([null, false, 0, "", [], {}, { a: { b: [1] } }])(
    "runs as it was given: %j",
    async (input) => {
      const { invoke, inputs } = gateRig(gateAnswered(input));
      const result = await invoke();
      expect(result.gate).toEqual(MODIFIED);
      expect(inputs).toEqual([input]);
    },
  );

  it("is copied, so that what the approver changes afterwards does not run", async () => {
    const input = { path: "/safe" };
    const changing = PermissionMiddleware.fromContext().withCheck(() => {
      input.path = "/etc";
      return PermissionCheck.allow();
    });
    const { invoke, inputs } = gateRig([gateAnswered(input), changing]);
    await invoke();
    expect(inputs).toEqual([{ path: "/safe" }]);
  });

  it("[CASE-127] of {} runs as {}, and the event holds the digest of {} beside that of the model's call", async () => {
    const { dispatch, inputs, events } = engineRig(gateAnswered({}), []);
    const result = await dispatch();
    expect(inputs).toEqual([{}]);
    expect(result.gate).toMatchObject({ verdict: "allow_modified", args_digest: INPUT_DIGEST });
    expect(events.map((event) => event.effective_args_digest)).toEqual([argsDigest({})]);
  });

  it.each(['{"__proto__":{"allowed":true}}', '{"constructor":{"prototype":{"x":1}}}'])(
    "[CASE-125] of %s reaches no prototype, and its keys stay own data",
    async (text) => {
      const { invoke, inputs } = gateRig(gateAnswered(JSON.parse(text) as JsonValue));
      expect((await invoke()).gate).toEqual(MODIFIED);
      expect(JSON.stringify(inputs[0])).toBe(text);
      expect(Object.getPrototypeOf(inputs[0])).toBe(Object.prototype);
      expect(Object.hasOwn(Object.prototype, "allowed")).toBe(false);
      expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
    },
  );

  it("[CASE-125] of a check's rewrite reaches no prototype either", async () => {
    const text = '{"__proto__":{"allowed":true},"path":"/safe"}';
    const gate = PermissionMiddleware.fromContext().withCheck(() =>
      PermissionCheck.modify(JSON.parse(text) as JsonValue),
    );
    const { invoke, inputs } = gateRig(gate);
    await invoke();
    expect(JSON.stringify(inputs[0])).toBe(text);
    expect((inputs[0] as { allowed?: unknown }).allowed).toBeUndefined();
  });

  it("[CASE-162] cannot name another tool: what looks like one is the input of the tool that was asked about", async () => {
    const forged = { tool: "delete_file", input: { path: "a" } };
    const { invoke, inputs, registry } = gateRig(gateAnswered(forged));
    const deleted: unknown[] = [];
    registry.register({
      name: "delete_file",
      description: "",
      inputSchema: {},
      call: (input) => void deleted.push(input),
    });
    const result = await invoke();
    expect(result.gate?.tool).toBe("t");
    expect(inputs).toEqual([forged]);
    expect(deleted).toEqual([]);
  });

  it("[CASE-165] is honoured for a tool of any kind", async () => {
    for (const kind of ["Subagent", "Bash", undefined]) {
      const tool = kind === undefined ? {} : { kind };
      const { invoke, inputs } = gateRig(gateAnswered({ path: "/safe" }), { tool });
      await invoke();
      expect(inputs).toEqual([{ path: "/safe" }]);
    }
  });
});
