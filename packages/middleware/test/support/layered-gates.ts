import {
  type AskResolution,
  type AskResolver,
  type JsonValue,
  type OnReport,
  PermissionCheck,
  type ReportEvent,
} from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { PermissionMiddleware, type Tool, ToolPipeline } from "../../src/index.js";

/** A tool that says what it got, and takes three milliseconds of a clock that stands otherwise. */
export function probeTool(name: string, output: string, clock: ManualClock = new ManualClock()) {
  const inputs: JsonValue[] = [];
  const tool: Tool = {
    name,
    description: "Says that it ran",
    inputSchema: {},
    call(input) {
      inputs.push(input as JsonValue);
      clock.advance(3);
      return output;
    },
  };
  return { tool, inputs };
}

export type CheckSpec =
  | { check: "allow" }
  | { check: "deny"; reason: string }
  | { check: "modify"; to: JsonValue }
  | { check: "ask"; prompt: string };

function checkOf(spec: CheckSpec): PermissionCheck {
  switch (spec.check) {
    case "allow":
      return PermissionCheck.allow();
    case "deny":
      return PermissionCheck.deny(spec.reason);
    case "modify":
      return PermissionCheck.modify(spec.to);
    case "ask":
      return PermissionCheck.ask(spec.prompt);
  }
}

/** A gate with this check, under the rule's name where there is one. */
export function gateOf(spec: CheckSpec & { rule?: string }): PermissionMiddleware {
  const gate = PermissionMiddleware.fromContext();
  const check = () => checkOf(spec);
  return spec.rule === undefined ? gate.withCheck(check) : gate.withNamedCheck(spec.rule, check);
}

/** Answers at once, or never; keeps the prompts it was given. */
export function resolverOf(outcome: "approve" | "refuse" | "pending", asks: string[] = []): AskResolver {
  return {
    interactive: false,
    resolve(pending) {
      asks.push(pending.prompt);
      if (outcome === "pending") return new Promise<AskResolution>(() => {});
      return outcome === "approve" ? "Approve" : "Deny";
    },
  };
}

export function reports(): { onReport: OnReport; seen: ReportEvent[] } {
  const seen: ReportEvent[] = [];
  return { seen, onReport: (event) => void seen.push(event) };
}

export function pipelineOf(
  tool: Tool,
  gates: readonly PermissionMiddleware[],
  options: { clock?: ManualClock; onReport?: OnReport } = {},
) {
  const builder = ToolPipeline.builder({
    clock: options.clock ?? new ManualClock(),
    onReport: options.onReport ?? (() => {}),
  }).withCore([tool]);
  for (const gate of gates) builder.withMiddleware(gate);
  return builder.build();
}
