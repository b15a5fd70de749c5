import { PermissionCheck } from "@x/permission-core";
import { ManualClock, scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import {
  createGate,
  MemoizeMiddleware,
  PermissionMiddleware,
  TimeoutMiddleware,
  type ToolMiddleware,
} from "../../src/index.js";
import { callOf, never, toolOf, turn } from "../support/engine-harness.js";

const ALLOW = PermissionCheck.allow();

it("puts a time limit round the gate, so that it bounds questions too", async () => {
  const clock = new ManualClock();
  const gate = createGate({
    clock,
    onReport: () => {},
    tools: [toolOf("deploy")],
    checks: { deploy: PermissionCheck.ask("sure?") },
    askResolver: { interactive: false, resolve: never },
    middleware: [new TimeoutMiddleware(1_500)],
  });
  const running = gate.dispatch(callOf());
  await turn();
  clock.advance(1_500);
  expect(await running).toMatchObject({
    output: "Tool 'deploy' timed out after 2s",
    errorKind: "timeout",
    gate: { verdict: "ask_expired" },
  });
  expect(clock.timerCount).toBe(0);
});

it("puts a cache inside the gate, wherever it stands in the list, so that a new denial is heeded", async () => {
  let check = ALLOW as PermissionCheck;
  const runs: unknown[] = [];
  const gate = createGate({
    onReport: () => {},
    tools: [{ ...toolOf("deploy", (input) => void runs.push(input)), readOnly: true }],
    checks: { deploy: () => check },
    middleware: [new MemoizeMiddleware(), new TimeoutMiddleware(1_000)],
  });
  await gate.dispatch(callOf());
  expect(await gate.dispatch(callOf())).toMatchObject({ cached: true, gate: { verdict: "allow" } });
  check = PermissionCheck.deny("is revoked");
  expect(await gate.dispatch(callOf())).toMatchObject({ cached: false, gate: { verdict: "deny" } });
  expect(runs).toHaveLength(1);
});

it("asks again before it serves a cached output", async () => {
  const resolver = scriptedResolver(["Approve", "Deny"]);
  const gate = createGate({
    onReport: () => {},
    tools: [{ ...toolOf("deploy"), readOnly: true }],
    checks: { deploy: PermissionCheck.ask("sure?") },
    askResolver: resolver,
    middleware: [new MemoizeMiddleware()],
  });
  await gate.dispatch(callOf());
  expect(await gate.dispatch(callOf())).toMatchObject({ isError: true, gate: { verdict: "ask_denied" } });
});

it("puts layers of one's own round the gate, the first outermost", async () => {
  const order: string[] = [];
  const layer = (name: string): ToolMiddleware => ({
    name,
    async dispatch(_context, next) {
      order.push(`${name} in`);
      const result = await next();
      order.push(`${name} out`);
      return result;
    },
  });
  const gate = createGate({
    onReport: () => {},
    tools: [toolOf("deploy", () => void order.push("tool"))],
    checks: {
      deploy() {
        order.push("check");
        return ALLOW;
      },
    },
    middleware: [layer("outer"), layer("inner")],
  });
  await gate.dispatch(callOf());
  expect(order).toEqual(["outer in", "inner in", "check", "tool", "inner out", "outer out"]);
});

it("takes another gate among its layers, and the stricter wins", async () => {
  const gate = createGate({
    onReport: () => {},
    tools: [toolOf("deploy")],
    checks: { deploy: ALLOW },
    middleware: [PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.deny("outer says no"))],
  });
  expect((await gate.dispatch(callOf())).output).toBe("Permission outer says no for tool 'deploy'");
});
