import { PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";
import { HookAction, PermissionMiddleware } from "../../src/index.js";
import { callOf, engineFor, type Setup, toolOf } from "../support/engine-harness.js";

const SECRET = "hunter2";
const boom = () => {
  throw new Error(SECRET);
};

/** A call with secrets wherever a call may hold any. */
const call = callOf({ input: { password: SECRET } });
const approving = { interactive: false, resolve: () => "Approve" as const };

it.each<[string, Setup]>([
  ["a call that runs", { layers: [PermissionMiddleware.allowAll()] }],
  [
    "an approved rewrite",
    {
      hooks: [{ preToolUse: () => HookAction.ask("sure?") }],
      askResolver: {
        interactive: false,
        resolve: () => ({ resolution: "Approve", modified_input: { password: `${SECRET}!` } }),
      },
    },
  ],
  [
    "a gate's rewrite",
    {
      layers: [
        PermissionMiddleware.fromContext().withCheck(() =>
          PermissionCheck.modify({ password: `${SECRET}!` }),
        ),
      ],
    },
  ],
  ["a tool that fails", { tools: [toolOf("deploy", boom)], layers: [PermissionMiddleware.allowAll()] }],
  ["a check that fails", { layers: [PermissionMiddleware.fromContext().withCheck(boom)] }],
  ["a hook that fails", { hooks: [{ preToolUse: boom }] }],
  [
    "a resolver that fails",
    {
      hooks: [{ preToolUse: () => HookAction.ask("sure?") }],
      askResolver: { interactive: false, resolve: boom },
    },
  ],
  [
    "a guard that fails",
    { guards: [{ name: "g", before: boom }], layers: [PermissionMiddleware.allowAll()] },
  ],
  [
    "a question that shows details",
    {
      layers: [
        PermissionMiddleware.fromContext().withCheck(() =>
          PermissionCheck.ask("sure?", { details: "no secret here" }),
        ),
      ],
      askResolver: approving,
    },
  ],
])("keeps arguments, outputs and failures out of the events of %s", async (_, setup) => {
  const { engine, observer } = engineFor({
    tools: [toolOf("deploy", () => {}, `token ${SECRET}`)],
    ...setup,
  });
  await engine.dispatch(call);
  expect(observer.events.length).toBeGreaterThanOrEqual(2);
  expect(JSON.stringify(observer.events)).not.toContain(SECRET);
});

it("shows the details of a question to who watches questions, and lets no record carry them", async () => {
  const details = `with ${SECRET}`;
  const { engine, observer } = engineFor({
    hooks: [{ preToolUse: () => HookAction.ask("sure?", { details }) }],
    askResolver: approving,
  });
  const result = await engine.dispatch(callOf());
  const parked = observer.events.filter(({ type }) => type === "ask_parked");
  expect(parked).toMatchObject([{ event: { ask: { details } } }]);
  const others = observer.events.filter(({ type }) => type !== "ask_parked");
  expect(JSON.stringify([others, result.gate, result.trail])).not.toContain(SECRET);
});
