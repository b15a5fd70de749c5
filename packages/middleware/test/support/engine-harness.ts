import type { GateEvent, JsonValue } from "@x/permission-core";
import { ManualClock, sequentialIds } from "@x/permission-core/testing";
import {
  type EngineObserver,
  type EngineOptions,
  type Tool,
  type ToolCall,
  ToolEngine,
  type ToolMiddleware,
  ToolPipeline,
} from "../../src/index.js";
import { recordingObserver } from "../../src/testing/index.js";
import { reports } from "./layered-gates.js";

export interface Setup extends Omit<Partial<EngineOptions>, "pipeline" | "observers"> {
  /** the first outermost; default none, and then nothing gates */
  layers?: readonly ToolMiddleware[];
  /** default: `deploy`, which answers `deployed` */
  tools?: readonly Tool[];
  observers?: readonly EngineObserver[];
}

/** An engine on a clock that stands still, with everything that it says. */
export function engineFor(setup: Setup = {}) {
  const { layers = [], tools, observers = [], ...options } = setup;
  const clock = new ManualClock();
  const { onReport, seen } = reports();
  const observer = recordingObserver();
  const inputs: JsonValue[] = [];
  const builder = ToolPipeline.builder({ clock, ids: sequentialIds(), onReport })
    .withCore(tools ?? [toolOf("deploy", (input) => void inputs.push(structuredClone(input)), "deployed")])
    .withoutGate();
  for (const layer of layers) builder.withMiddleware(layer);
  const engine = new ToolEngine({
    sessionId: "s1",
    runId: "r1",
    ...options,
    pipeline: builder.build(),
    observers: [observer, ...observers],
  });
  /** messages of errors only; refusals warn */
  const errors = () => seen.filter(({ level }) => level === "error").map(({ message }) => message);
  /** the one `gate_decision` so far */
  const gateEvent = (): GateEvent => {
    const events = observer.events.flatMap(({ type, event }) => (type === "gate_decision" ? [event] : []));
    const [event] = events;
    if (event === undefined || events.length > 1)
      throw new Error(`${events.length} decisions were announced`);
    return event;
  };
  /** the outcomes of all calls so far */
  const outcomes = () =>
    observer.events.flatMap(({ type, event }) => (type === "tool_post" ? [event.outcome] : []));
  return { engine, clock, observer, reports: seen, errors, gateEvent, outcomes, inputs };
}

/** A tool that tells `ran` its input, and gives `output`: of a function, what that gives. */
export function toolOf(
  name: string,
  ran: (input: JsonValue) => unknown = () => {},
  output: unknown = "done",
): Tool {
  return {
    name,
    description: `Does ${name}`,
    inputSchema: {},
    call(input, context) {
      ran(input as JsonValue);
      return typeof output === "function" ? output(input, context) : output;
    },
  };
}

/** A call of `deploy`. */
export function callOf(more: Partial<ToolCall> = {}): ToolCall {
  return { toolName: "deploy", callId: "c1", input: { target: "/srv" }, ...more } as ToolCall;
}

/** Lets whatever is ready come through. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A promise that never settles. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** A promise to be settled by hand. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** What a dispatch came to: its result, or the code of what it rejected with. */
export async function endingOf(running: Promise<unknown>): Promise<unknown> {
  return running.catch((error: { code?: string }) => ({ rejected: error.code ?? error }));
}
