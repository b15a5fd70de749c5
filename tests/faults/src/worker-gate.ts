import { appendFileSync } from "node:fs";
import { createGate, defineTool, type EngineObserver, type Gate } from "@x/middleware";
import { type AskResolver, PermissionCheck } from "@x/permission-core";
import * as z from "zod";
import type { Ending, WorkerOptions } from "./protocol.js";

/** What a worker does with its calls. */
export interface WorkerGate {
  /** Calls that are put at once. `askTimeoutMs` 0: they wait for ever. */
  call(callIds: readonly string[], askTimeoutMs: number): void;
  cancel(callId: string): void;
  /** Lets every tool that waits go on. */
  finish(): void;
  close(): Promise<void>;
}

/** The front door as users have it: every call of its one tool asks, and every run of it is a line in a file. */
export function workerGate(
  options: WorkerOptions,
  askResolver: AskResolver,
  onEnded: (ending: Ending) => void,
): WorkerGate {
  const gates: Gate[] = [];
  const cancels = new Map<string, AbortController>();
  const decided = new Map<string, Pick<Ending, "decidedBy" | "askId">>();
  const held: (() => void)[] = [];

  const deploy = defineTool({
    name: "deploy",
    description: "Deploys to a target",
    input: z.object({ target: z.string() }),
    run: async ({ target }) => {
      // One write at the end of the file: processes that share it do not tear each other's lines.
      appendFileSync(options.runsFile, `${target}\n`);
      if (options.dies === "after-run") process.kill(process.pid, "SIGKILL");
      if (options.holdsRuns) await new Promise<void>((resolve) => held.push(resolve));
      return "deployed";
    },
  });
  const observer: EngineObserver = {
    onGateDecision: ({ call_id, decided_by, ask_id }) =>
      void decided.set(call_id, { decidedBy: decided_by, askId: ask_id }),
  };

  async function callOne(gate: Gate, callId: string): Promise<void> {
    const cancel = new AbortController();
    cancels.set(callId, cancel);
    const beganAt = performance.now();
    const { signal } = cancel;
    const ended = await gate.dispatch({ toolName: "deploy", callId, input: { target: callId }, signal }).then(
      ({ gate: record }) => ({ verdict: record?.verdict ?? null, reason: record?.reason ?? null }),
      () => ({ verdict: "cancelled" as const, reason: null }),
    );
    const { decidedBy = null, askId = null } = decided.get(callId) ?? {};
    onEnded({ callId, ...ended, decidedBy, askId, tookMs: performance.now() - beganAt });
  }

  return {
    call(callIds, askTimeoutMs) {
      const { sessionId, runId } = options;
      const checks = { deploy: () => PermissionCheck.ask("Deploy?") };
      const quiet = { onReport: () => {}, observers: [observer] };
      const gate = createGate({
        ...quiet,
        tools: [deploy],
        checks,
        askResolver,
        askTimeoutMs,
        sessionId,
        runId,
        isNonInteractive: true,
      });
      gates.push(gate);
      for (const callId of callIds) void callOne(gate, callId);
    },
    cancel: (callId) => cancels.get(callId)?.abort(),
    finish() {
      for (const goOn of held.splice(0)) goOn();
    },
    close: async () => {
      await Promise.all(gates.map((gate) => gate.close()));
    },
  };
}
