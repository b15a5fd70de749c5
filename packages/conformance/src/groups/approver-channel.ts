import type { AskResolution, GateVerdict } from "@x/permission-core";
import channels from "../../vectors/loopctl/approver-channel.json" with { type: "json" };
import { answerMutants } from "../mutate/answer-mutants.js";
import type { Group, Vector } from "../vector.js";

/** What the two halves of an in-process channel see. `A` is the ask parked first, `B` the second. */
export interface ApproverChannelVector extends Vector {
  /** what to do and what comes of it, in prose */
  steps: readonly string[];
  /** what the prose says comes of it; absent of the vector with `records` */
  answer?: ApproverChannelAnswer;
  /** `args_digest` of the asks that the approver saw */
  digests?: readonly string[];
  /** the verdicts of the dispatches' records */
  records?: readonly GateVerdict[];
}

/** What the waiting side got; `expired` where its own deadline ended the wait. */
export type ParkOutcome = AskResolution | "expired";

export interface ApproverChannelAnswer {
  /** what `nextPending` gave; a list ends where nothing more is waiting */
  delivered?: string | readonly string[];
  /** what `resolve` gave, in the order of the steps */
  answered?: boolean | readonly boolean[];
  answered_again?: boolean;
  park?: ParkOutcome;
  /** of A and B */
  parks?: readonly ParkOutcome[];
  /** what `nextPending` gives at the end of the stream */
  next?: null;
  /** what was reported, one for each approver dropped */
  logged?: readonly { level: string; denied: number }[];
  closure_true?: AskResolution;
  closure_false?: AskResolution;
  /** of the closures, together */
  runs?: number;
}

export const approverChannel: Group<ApproverChannelVector> = {
  vectors: channels as readonly ApproverChannelVector[],
  mutants: answerMutants("answer", "digests", "records"),
};
