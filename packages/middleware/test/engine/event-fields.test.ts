import {
  argsDigest,
  argsDigestFromText,
  createGrant,
  MemoryGrantStore,
  PermissionCheck,
} from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import * as z from "zod";
import { confirmTools, defineTool, MemoizeMiddleware, PermissionMiddleware } from "../../src/index.js";
import { callOf, engineFor, never, toolOf, turn } from "../support/engine-harness.js";
import { probeTool } from "../support/layered-gates.js";

const named = (ruleId: string, check: () => PermissionCheck) =>
  PermissionMiddleware.fromContext().withNamedCheck(ruleId, check);

it("says in every event whose call it is, and stamps it by the clock", async () => {
  const clock = new ManualClock(1_000);
  const { tool } = probeTool("deploy", "deployed", clock);
  const { engine, observer } = engineFor({
    clock,
    agent: "sub",
    tools: [tool],
    layers: [PermissionMiddleware.allowAll()],
  });
  await engine.dispatch(callOf({ turn: 7 }));
  const identity = { session_id: "s1", run_id: "r1", agent: "sub", call_id: "c1", turn: 7 };
  const digest = argsDigest({ target: "/srv" });
  const decision = {
    tool: "deploy",
    args_digest: digest,
    verdict: "allow",
    rule_id: "middleware",
    rule_source: "middleware",
    matched_pattern: null,
    reason: null,
    ts: 1_003,
  };
  expect(observer.events.map(({ event }) => event)).toEqual([
    { ...identity, tool: "deploy", args_digest: digest, ts: 1_000 },
    {
      ...identity,
      decision,
      trail: [decision],
      effective_args_digest: digest,
      ask_id: null,
      decided_by: null,
    },
    { ...identity, tool: "deploy", outcome: "completed", duration_ms: 3, ts: 1_003 },
  ]);
});

it("leaves agent null and turn zero where nobody said", async () => {
  const { engine, observer } = engineFor();
  await engine.dispatch(callOf());
  for (const { event } of observer.events) expect(event).toMatchObject({ agent: null, turn: 0 });
});

it("gives result and event the same stamped record, and stamps no other", async () => {
  const { engine, gateEvent, clock } = engineFor({
    layers: [named("outer", PermissionCheck.allow), named("inner", PermissionCheck.allow)],
  });
  const result = await engine.dispatch(callOf());
  const { decision, trail } = gateEvent();
  expect(decision).toEqual(result.gate);
  expect(trail).toEqual(result.trail);
  expect(trail.map(({ rule_id, ts }) => [rule_id, ts])).toEqual([
    ["outer", 0],
    ["inner", clock.now()],
  ]);
});

it("tells of no effective arguments where nothing ran", async () => {
  const denied = engineFor({ layers: [PermissionMiddleware.denyAll()] });
  await denied.engine.dispatch(callOf());
  expect(denied.gateEvent().effective_args_digest).toBeNull();

  const cached = engineFor({
    layers: [PermissionMiddleware.allowAll(), new MemoizeMiddleware()],
    tools: [{ ...toolOf("deploy"), readOnly: true }],
  });
  await cached.engine.dispatch(callOf());
  cached.observer.clear();
  expect(await cached.engine.dispatch(callOf())).toMatchObject({ cached: true });
  expect(cached.gateEvent().effective_args_digest).toBeNull();
});

it("digests what really ran: a rewrite, and the innermost of two", async () => {
  const { engine, gateEvent, inputs } = engineFor({
    layers: [
      named("outer", () => PermissionCheck.modify({ by: "outer" })),
      named("inner", () => PermissionCheck.modify({ by: "inner" })),
    ],
  });
  await engine.dispatch(callOf());
  expect(gateEvent()).toMatchObject({
    decision: { rule_id: "inner", args_digest: argsDigest({ target: "/srv" }) },
    effective_args_digest: argsDigest({ by: "inner" }),
  });
  expect(inputs).toEqual([{ by: "inner" }]);
});

it("digests the parsed input, defaults included, beside the model's", async () => {
  const tool = defineTool({
    name: "deploy",
    description: "Deploys",
    input: z.object({ target: z.string(), force: z.boolean().default(false) }),
    run: () => "deployed",
  });
  const { engine, gateEvent } = engineFor({ tools: [tool], layers: [PermissionMiddleware.allowAll()] });
  await engine.dispatch(callOf());
  expect(gateEvent()).toMatchObject({
    decision: { args_digest: argsDigest({ target: "/srv" }) },
    effective_args_digest: argsDigest({ target: "/srv", force: false }),
  });
});

it("digests the model's text, where that is what runs", async () => {
  const { engine, gateEvent } = engineFor({ layers: [PermissionMiddleware.allowAll()] });
  const text = '{"limit": 1.0}';
  await engine.dispatch({ toolName: "deploy", callId: "c1", inputText: text });
  const digest = argsDigestFromText(text);
  expect(digest).not.toBe(argsDigest({ limit: 1 }));
  expect(gateEvent()).toMatchObject({ decision: { args_digest: digest }, effective_args_digest: digest });
});

it("digests what ran of a call that failed, or was cancelled in the middle", async () => {
  const cancel = new AbortController();
  const { engine, gateEvent } = engineFor({
    layers: [PermissionMiddleware.allowAll()],
    tools: [toolOf("deploy", () => {}, never)],
  });
  const running = engine.dispatch(callOf({ signal: cancel.signal })).catch(() => {});
  await turn();
  cancel.abort();
  await running;
  expect(gateEvent().effective_args_digest).toBe(argsDigest({ target: "/srv" }));
});

it("names the ask and who answered it, also one that was re-attached", async () => {
  const { engine, gateEvent, observer } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: {
      interactive: false,
      resolve: ({ turn: count }) =>
        count === 0
          ? { resolution: "Approve", decided_by: "ana" }
          : { resolution: "Deny", decided_by: "ben", ask_id: "stored-before" },
    },
  });
  await engine.dispatch(callOf());
  expect(gateEvent()).toMatchObject({
    ask_id: "00000000-0000-4000-8000-000000000001",
    decided_by: "ana",
  });
  observer.clear();
  await engine.dispatch(callOf({ turn: 1 }));
  expect(gateEvent()).toMatchObject({ ask_id: "stored-before", decided_by: "ben" });
});

it("names the ask that nobody answered, and no decider", async () => {
  const { engine, gateEvent, clock } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: never },
    askTimeoutMs: 10,
  });
  const running = engine.dispatch(callOf());
  await turn();
  clock.advance(10);
  await running;
  expect(gateEvent()).toMatchObject({
    ask_id: "00000000-0000-4000-8000-000000000001",
    decided_by: null,
    decision: { verdict: "ask_expired" },
  });
});

it("names no ask where a grant or a rule decided", async () => {
  const grants = new MemoryGrantStore([createGrant("deploy", "Allow", "this_tool")]);
  const { engine, gateEvent } = engineFor({ hooks: [confirmTools(["deploy"])], grants });
  await engine.dispatch(callOf());
  expect(gateEvent()).toMatchObject({ ask_id: null, decided_by: null });
});
