import { argsDigest, type PendingAsk } from "@x/permission-core";

/** An ask named `id`, about a call of its own. */
export function pendingAsk(id: string, fields: Partial<PendingAsk> = {}): PendingAsk {
  return {
    id,
    session_id: "session",
    run_id: "run",
    turn: 1,
    call_id: `call of ${id}`,
    tool: "deploy",
    args_digest: argsDigest({ target: id }),
    prompt: "Deploy?",
    ...fields,
  };
}

/** `count` asks, each about a call of its own, in the order of neither their ids nor their digests. */
export function pendingAsks(count: number): PendingAsk[] {
  return Array.from({ length: count }, (_, index) => pendingAsk(`ask-${(index * 7) % 10}-${index}`));
}
