import { type AskAnswer, type GateEvent, type JsonValue, PermissionCheck } from "@x/permission-core";
import { ManualClock, scriptedResolver } from "@x/permission-core/testing";
import {
  PermissionMiddleware,
  type PreToolUseHook,
  type Tool,
  ToolEngine,
  ToolPipeline,
} from "../../src/index.js";
import { INPUT, recordOf } from "./gate-rig.js";

export const approving = (modified_input: JsonValue): AskAnswer => ({
  resolution: "Approve",
  modified_input,
});
export const MODIFIED = recordOf("allow_modified", "ask", "ask_resolver");

/** Asks about everything, denies what lies under /etc, and answers with `input`. */
export function gateAnswered(input: JsonValue) {
  return PermissionMiddleware.fromContext()
    .withNamedCheck("own", (context) =>
      JSON.stringify(context.input).includes("/etc")
        ? PermissionCheck.deny("etc is off limits")
        : PermissionCheck.ask("run?"),
    )
    .withAskResolver(scriptedResolver([approving(input)]));
}

/** An engine with hooks round one gate; keeps what the tool was given and what observers were told. */
export function engineRig(
  gate: PermissionMiddleware,
  hooks: readonly PreToolUseHook[],
  tool: Partial<Tool> = {},
) {
  const inputs: unknown[] = [];
  const events: GateEvent[] = [];
  const pipeline = ToolPipeline.builder({ clock: new ManualClock(), onReport: () => {} })
    .withCore([
      {
        name: "t",
        description: "",
        inputSchema: {},
        call: (input: unknown) => {
          inputs.push(input);
          return "ran";
        },
        ...tool,
      },
    ])
    .withMiddleware(gate)
    .build();
  const observer = { onGateDecision: (event: GateEvent) => void events.push(event) };
  const engine = new ToolEngine({ pipeline, hooks, observers: [observer] });
  const dispatch = (signal?: AbortSignal) =>
    engine.dispatch({
      toolName: "t",
      callId: "c1",
      input: INPUT,
      ...(signal === undefined ? undefined : { signal }),
    });
  return { dispatch, inputs, events };
}
