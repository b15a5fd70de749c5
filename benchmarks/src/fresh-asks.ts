import type { PendingAsk } from "@x/permission-core";

/** Gives a new ask each time, of another id and call than all before; with `fields`, of these values. */
export function freshAsks(fields: () => Partial<PendingAsk> = () => ({})): () => PendingAsk {
  let count = 0;
  return () => {
    count += 1;
    return {
      id: `ask-${count}`,
      session_id: "s",
      run_id: "r",
      turn: 1,
      call_id: `call-${count}`,
      tool: "deploy",
      args_digest: "87005d148c61a85e",
      prompt: "approve the deploy?",
      ...fields(),
    };
  };
}
