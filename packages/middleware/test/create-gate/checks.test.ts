import { expect, it } from "vitest";
import { allowReadOnlyAskRest, createGate, PermissionMiddleware } from "../../src/index.js";
import { callOf, engineFor, toolOf } from "../support/engine-harness.js";

const layers = () => [PermissionMiddleware.fromContext().withCheck(allowReadOnlyAskRest())];

it("lets tools run that declare themselves read-only, and asks about every other", async () => {
  const { engine } = engineFor({
    layers: layers(),
    tools: [
      { ...toolOf("read"), readOnly: true },
      { ...toolOf("deploy"), readOnly: false },
      toolOf("constructor"),
    ],
  });
  expect((await engine.dispatch(callOf({ toolName: "read" }))).gate).toMatchObject({ verdict: "allow" });
  for (const toolName of ["deploy", "constructor"]) {
    expect((await engine.dispatch(callOf({ toolName }))).gate).toMatchObject({
      verdict: "ask_unresolved",
      reason: `permission required: Allow tool '${toolName}' to run?`,
    });
  }
});

it("asks where it is not known what the tool declares", async () => {
  const [gate] = layers();
  expect(await gate?.evaluate("read", {})).toMatchObject({ verdict: "ask" });
});

it("takes the tool's word as the check of one tool too, never the model's", async () => {
  const input = { tool: { readOnly: true }, toolName: "read" };
  const check = allowReadOnlyAskRest();
  const gate = createGate({
    tools: [toolOf("deploy"), { ...toolOf("read"), readOnly: true }],
    checks: { deploy: check, read: check },
    onReport: () => {},
  });
  expect((await gate.dispatch({ toolName: "deploy", callId: "1", input })).gate).toMatchObject({
    verdict: "ask_unresolved",
    reason: "permission required: Allow tool 'deploy' to run?",
  });
  expect((await gate.dispatch({ toolName: "read", callId: "2", input: {} })).gate).toMatchObject({
    verdict: "allow",
  });
});
