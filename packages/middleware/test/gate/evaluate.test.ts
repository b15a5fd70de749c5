import {
  createGrant,
  type GrantStore,
  MemoryGrantStore,
  PermissionCheck,
  type Rule,
} from "@x/permission-core";
import { sequentialIds } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type ToolContext } from "../../src/index.js";
import { deferred, gateSaying, INPUT, policyDecision, recordOf, stubPolicy } from "../support/gate-rig.js";

const silent = { onReport: () => {} };
const asking = () => gateSaying(PermissionCheck.ask("run?"));

describe("a gate evaluated on its own", () => {
  it.each<[string, PermissionMiddleware, ReturnType<typeof recordOf>]>([
    ["allow", PermissionMiddleware.allowAll(), recordOf("allow", "middleware", "middleware")],
    ["deny", gateSaying(PermissionCheck.deny("no")), recordOf("deny", "middleware", "middleware", "no")],
    ["ask, with the bare prompt", asking(), recordOf("ask", "middleware", "middleware", "run?")],
    [
      "allow_modified",
      gateSaying(PermissionCheck.modify({ path: "/safe" })),
      recordOf("allow_modified", "middleware", "middleware"),
    ],
    [
      "deny for a rewrite that JSON cannot hold",
      gateSaying(PermissionCheck.modify(Number.NaN)),
      recordOf("deny", "middleware", "engine", "policy error: not_json at $"),
    ],
    [
      "the claim, which is allow",
      PermissionMiddleware.fromContext(),
      recordOf("allow", "context", "context"),
    ],
  ])("says %s", async (_, gate, record) => {
    expect(await gate.evaluate("t", INPUT)).toEqual(record);
  });

  it("denies an input that is no JSON value, without a digest", async () => {
    expect(await PermissionMiddleware.allowAll().evaluate("t", { when: new Date(0) })).toEqual(
      recordOf("deny", "engine", "engine", "policy error: not_json at $.when", { args_digest: "" }),
    );
  });

  it("fails closed on a check that throws", async () => {
    const gate = PermissionMiddleware.fromContext().withCheck(() => {
      throw new Error("no");
    });
    expect(await gate.evaluate("t", INPUT, silent)).toEqual(
      recordOf("deny", "middleware", "engine", "policy error"),
    );
  });

  it("hands checks a call with what it was told of it", async () => {
    const seen: unknown[] = [];
    const gate = PermissionMiddleware.fromContext().withCheck(
      ({ callId, turn, permission, tool, toolContext }) => {
        seen.push(callId, turn, permission, tool?.readOnly, toolContext);
        return PermissionCheck.allow();
      },
    );
    const signal = new AbortController().signal;
    await gate.evaluate("t", INPUT, {
      callId: "c9",
      turn: 4,
      permission: PermissionCheck.ask("claimed?"),
      tool: { name: "t", description: "", inputSchema: {}, readOnly: true, call: () => null },
      toolContext: { agent: "main", isNonInteractive: true },
      ids: sequentialIds(),
      signal,
    });
    expect(seen).toEqual([
      "c9",
      4,
      { kind: "ask", prompt: "claimed?" },
      true,
      {
        sessionId: "00000000-0000-4000-8000-000000000001",
        runId: "00000000-0000-4000-8000-000000000002",
        agent: "main",
        isNonInteractive: true,
        signal,
      },
    ]);
  });

  it("hands checks a call of no session where it was told nothing, and no working folder", async () => {
    const seen: ToolContext[] = [];
    const gate = PermissionMiddleware.fromContext().withCheck(({ toolContext }) => {
      seen.push(toolContext);
      return PermissionCheck.allow();
    });
    await gate.evaluate("t", INPUT);
    await gate.evaluate("t", INPUT);
    const [first, second] = seen;
    expect(Object.keys(first ?? {}).sort()).toEqual(["isNonInteractive", "runId", "sessionId", "signal"]);
    expect(first?.isNonInteractive).toBe(false);
    expect(new Set([first, second].flatMap((one) => [one?.sessionId, one?.runId])).size).toBe(4);
  });

  it("honours a claim that it is told of", async () => {
    const record = await PermissionMiddleware.fromContext().evaluate("t", INPUT, {
      permission: PermissionCheck.deny("claimed"),
    });
    expect(record).toEqual(recordOf("deny", "context", "context", "claimed"));
  });

  it("is cancelled where its signal fires while a check is pending, under the gate's own id", async () => {
    const check = deferred<PermissionCheck>();
    const cancel = new AbortController();
    const gate = PermissionMiddleware.fromContext().withNamedCheck("own", () => check.promise);
    const evaluating = gate.evaluate("t", INPUT, { signal: cancel.signal });
    cancel.abort();
    expect(await evaluating).toEqual(recordOf("cancelled", "own", "engine", "cancelled while deciding"));
  });
});

describe("remembered decisions in a dry run", () => {
  const allow = createGrant("t", "Allow", { this_call: { args: INPUT } });
  const deny = createGrant("t", "Deny", "this_tool");
  const failing: GrantStore = Object.assign(new MemoryGrantStore(), {
    find: () => Promise.reject(new Error("disk gone")),
  });

  it("refuse by a denial and answer a question by an approval", async () => {
    const withGrants = (...grants: (typeof allow)[]) => asking().withGrants(new MemoryGrantStore(grants));
    expect(await withGrants(deny, allow).evaluate("t", INPUT)).toEqual(
      recordOf("deny", deny.id, "grant", "denied by a remembered decision"),
    );
    expect(await withGrants(allow).evaluate("t", INPUT)).toEqual(recordOf("allow", allow.id, "grant"));
    expect((await withGrants().evaluate("t", INPUT)).verdict).toBe("ask");
  });

  it("do not answer a question that a rule demands by an approval of the whole tool", async () => {
    const store = new MemoryGrantStore([createGrant("t", "Allow", "this_tool")]);
    const gate = PermissionMiddleware.fromContext()
      .withPolicy(stubPolicy(policyDecision("ask", { configuredAsk: true })))
      .withGrants(store);
    expect((await gate.evaluate("t", INPUT)).verdict).toBe("ask");
  });

  it("make a question of what a check allows where the store fails, and leave a denial and a question as they are", async () => {
    const evaluate = (gate: PermissionMiddleware) => gate.withGrants(failing).evaluate("t", INPUT, silent);
    const prompt = "Remembered decisions cannot be read. Allow this call of tool 't'?";
    expect(await evaluate(PermissionMiddleware.allowAll())).toEqual(
      recordOf("ask", "middleware", "middleware", prompt),
    );
    expect(await evaluate(gateSaying(PermissionCheck.modify({})))).toEqual(
      recordOf("ask", "middleware", "middleware", prompt),
    );
    expect((await evaluate(PermissionMiddleware.denyAll())).verdict).toBe("deny");
    expect((await evaluate(asking())).reason).toBe("run?");
  });

  it("are found by a rewrite that stands beside the question", async () => {
    const rule: Rule = { scope: "user", tool: "t", pattern: "p", effect: "ask", id: "r1" };
    const gateWith = (...grants: (typeof allow)[]) =>
      gateSaying(PermissionCheck.modify({ path: "/safe" }))
        .withPolicy(stubPolicy(policyDecision("ask", { rule })))
        .withGrants(new MemoryGrantStore(grants));
    const safe = { this_call: { args: { path: "/safe" } } };
    expect((await gateWith(allow).evaluate("t", INPUT)).verdict).toBe("ask");
    expect(await gateWith(createGrant("t", "Allow", safe)).evaluate("t", INPUT)).toEqual(
      recordOf("allow_modified", "r1", "middleware", null, { matched_pattern: "p" }),
    );
    expect((await gateWith(createGrant("t", "Deny", safe)).evaluate("t", INPUT)).rule_source).toBe("grant");
  });

  it("are not waited for once the call is cancelled", async () => {
    const hanging: GrantStore = Object.assign(new MemoryGrantStore(), {
      find: () => new Promise<never>(() => {}),
    });
    const cancel = new AbortController();
    const evaluating = PermissionMiddleware.allowAll()
      .withGrants(hanging)
      .evaluate("t", INPUT, { signal: cancel.signal });
    cancel.abort();
    expect(await evaluating).toEqual(
      recordOf("cancelled", "middleware", "engine", "cancelled while deciding"),
    );
  });
});
