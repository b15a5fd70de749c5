import type { RedisChannelOptions } from "@x/ask-channel/redis";
import type { AnswerStatus, GateVerdict, PendingAsk, ReportEvent } from "@x/permission-core";
import type { Protection } from "./protections.js";
import type { Seam } from "./resolvers.js";

/** What both programs are started with, as JSON in their first argument. */
export interface SideOptions {
  port: number;
  /** of the connections that listen; default `port` */
  listenPort?: number;
  prefix: string;
  channel?: Partial<Pick<RedisChannelOptions, "timeoutMs" | "leaseMs" | "presenceMs" | "requireApprover">>;
  /** what the host set on its client */
  client?: { maxRetriesPerRequest?: number | null; lazyConnect?: boolean };
  /** takes one protection away from this process */
  without?: Protection;
  /** puts a mistake between this process and the channel */
  seam?: Seam;
}

export interface WorkerOptions extends SideOptions {
  sessionId: string;
  runId: string;
  /** gets a line with the name of the call each time that the tool runs */
  runsFile: string;
  /** the tool, once its line is written, waits for `finish` */
  holdsRuns?: boolean;
  /** it kills itself with SIGKILL there */
  dies?: "after-claim" | "after-run";
}

export type WorkerCommand =
  /** `askTimeoutMs` 0: never */
  | { do: "call"; callIds: string[]; askTimeoutMs: number }
  | { do: "cancel"; callId: string }
  | { do: "finish" }
  | { do: "stop" };

/** How a call ended. */
export interface Ending {
  callId: string;
  verdict: GateVerdict | null;
  reason: string | null;
  decidedBy: string | null;
  /** of the ask that was answered */
  askId: string | null;
  /** what the call itself took, in milliseconds */
  tookMs: number;
}

export type WorkerEvent =
  | { event: "ready" }
  | ({ event: "ended" } & Ending)
  /** the connection that listens was lost, and is tried again */
  | { event: "reconnecting" }
  | { event: "report"; level: ReportEvent["level"]; message: string };

export interface ApproverOptions extends SideOptions {
  /** goes into `decided_by` */
  name: string;
  /** answers what it is shown by itself, at random from this seed; null: only as it is told */
  seed: number | null;
}

export type ApproverCommand =
  | {
      do: "answer";
      ask: Pick<PendingAsk, "id" | "args_digest">;
      resolution: "Approve" | "Deny";
      answerId?: string;
    }
  | { do: "stop" };

/** An answer that was given, and what the approver read. */
export interface Given {
  askId: string;
  callId: string | null;
  resolution: "Approve" | "Deny";
  answerId: string | null;
  /** null where it was rejected; then `code` says why */
  status: AnswerStatus | null;
  code: string | null;
}

export type ApproverEvent =
  | { event: "ready" }
  | { event: "shown"; ask: PendingAsk }
  | ({ event: "given" } & Given)
  /** all that a racing approver gave, once it was stopped */
  | { event: "all-given"; given: Given[] };
