import { type AskResolver, PermissionCheck, PermissionGateError, type ReportEvent } from "@x/permission-core";
import { expect, it } from "vitest";
import { confirmTools, PermissionMiddleware } from "../../src/index.js";
import { callOf, engineFor } from "../support/engine-harness.js";
import { gateRig, recordOf, turn } from "../support/gate-rig.js";

const REFUSED = "Nobody could be asked about a call of tool 't'; the call is denied: ";
const BLOCKED_BY_ENGINE = "tool call blocked by engine";
const BLOCKED = { level: "warn", message: "tool call blocked by permission middleware" };

function asking(resolve: AskResolver["resolve"]): PermissionMiddleware {
  return PermissionMiddleware.fromContext()
    .withNamedCheck("own", () => PermissionCheck.ask("go on?"))
    .withAskResolver({ interactive: false, resolve });
}

/** A question that nobody was put, and why. */
function unavailable(why: string, cause?: Error): PermissionGateError {
  return new PermissionGateError("ask_unavailable", why, { cause });
}

const down = new Error("connect ECONNREFUSED 10.0.0.7:6379");

it.each<[string, PermissionGateError]>([
  ["no approver is there", unavailable("no approver is there")],
  ["Redis is down", unavailable("Redis did not store it", down)],
  ["the password is wrong", unavailable("Redis did not store it", new Error("WRONGPASS invalid password"))],
  ["somebody else waits", new PermissionGateError("already_waiting", "somebody else waits for the call")],
])("is told once, with message and cause: %s", async (_, error) => {
  const { invoke, reports } = gateRig(asking(() => Promise.reject(error)));
  await invoke();
  expect(reports).toMatchObject([{ level: "warn", message: `${REFUSED}${error.message}` }, BLOCKED]);
  expect(reports[0]?.cause).toBe(error);
});

it("tells the model and the record nothing of it", async () => {
  const { invoke } = gateRig(asking(() => Promise.reject(unavailable("redis-7 is out of reach", down))));
  const result = await invoke();
  const record = recordOf("ask_denied", "ask", "ask_resolver", "approval channel unavailable");
  expect(result).toMatchObject({
    output: "Permission denied: approval channel unavailable for tool 't'",
    gate: record,
    trail: [record],
  });
  expect(JSON.stringify(result)).not.toMatch(/redis|10\.0\.0\.7/);
});

it("is told once for each ask of a call, and for a question of a hook as well", async () => {
  const resolver: AskResolver = {
    interactive: false,
    resolve: () => Promise.reject(unavailable("no approver is there")),
  };
  const { engine, reports } = engineFor({ hooks: [confirmTools(["deploy"])], askResolver: resolver });
  for (const callId of ["c1", "c2"]) await engine.dispatch(callOf({ callId }));
  const told = reports.map(({ message }) => message);
  expect(told).toEqual(["c1", "c2"].flatMap(() => [expect.stringMatching(/approver/), BLOCKED_BY_ENGINE]));
});

it("tells nothing of an ask that was cancelled, also where the resolver then says that it is unavailable", async () => {
  const cancel = new AbortController();
  const { invoke, reports } = gateRig(
    asking(
      (_pending, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(unavailable("closed")));
        }),
    ),
  );
  const running = invoke({ signal: cancel.signal });
  await turn();
  cancel.abort();
  expect((await running).gate?.verdict).toBe("cancelled");
  expect(reports).toMatchObject([BLOCKED]);
});

it.each<[string, AskResolver["resolve"], number]>([
  ["of the gate", () => new Promise<never>(() => {}), 5_000],
  ["of the resolver", () => Promise.reject(new PermissionGateError("ask_expired", "too late")), 0],
])("tells nothing of a deadline %s", async (_, resolve, timeoutMs) => {
  const { invoke, reports, clock } = gateRig(asking(resolve).withAskTimeout(timeoutMs));
  const running = invoke();
  await turn();
  clock.advance(5_000);
  expect((await running).gate?.verdict).toBe("ask_expired");
  expect(reports).toMatchObject([BLOCKED]);
});

it("tells nothing in a dry run, which asks nobody", async () => {
  const { evaluate, reports } = gateRig(asking(() => Promise.reject(unavailable("no approver is there"))));
  expect((await evaluate())?.verdict).toBe("ask");
  expect(reports).toEqual([]);
});

it("changes nothing where the report cannot be taken", async () => {
  const onReport = (_event: ReportEvent) => {
    throw new Error("the log is full");
  };
  const { engine } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: () => Promise.reject(unavailable("nobody")) },
    onReport,
  });
  expect((await engine.dispatch(callOf())).gate?.reason).toBe("approval channel unavailable");
});

it.each<[string, () => unknown]>([
  ["nothing of it can be read", revoked],
  ["its code cannot be read", () => unreadable("code")],
  ["its message cannot be read", () => unreadable("message")],
])("leaves a record of what a resolver rejects with, though %s", async (_, error) => {
  const { invoke } = gateRig(asking(() => Promise.reject(error())));
  const result = await invoke();
  expect(result.trail).toMatchObject([{ verdict: "ask_denied", rule_source: "ask_resolver" }]);
  expect(result.gate).toEqual(result.trail[0]);
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function unreadable(field: "code" | "message"): unknown {
  return Object.defineProperty(unavailable("nobody is there"), field, {
    get: () => {
      throw new Error("no");
    },
  });
}
