import type { PendingAsk } from "@x/permission-core";

/** A copy that shares nothing with the original, so that nobody who is shown an ask can change what it is bound to. */
export function copyAsk(ask: PendingAsk): PendingAsk {
  return ask.rememberable === undefined ? { ...ask } : { ...ask, rememberable: [...ask.rememberable] };
}
