import { expect, it } from "vitest";
import { allowReadOnlyAskRest, PermissionMiddleware } from "../../src/index.js";
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
