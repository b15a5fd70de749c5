import { argsDigest, type PendingAsk, PermissionGateError } from "@x/permission-core";

/** An ask named `id`, about a call whose digest is its own. */
export function pendingAsk(id: string, fields: Partial<PendingAsk> = {}): PendingAsk {
  return {
    id,
    session_id: "session",
    run_id: "run",
    turn: 1,
    call_id: `call-${id}`,
    tool: "deploy",
    args_digest: argsDigest({ target: id }),
    prompt: "approve the deploy?",
    ...fields,
  };
}

/** One wait: the context that a gate gives to a resolver, and the three ways in which it ends it. */
export function wait() {
  const controller = new AbortController();
  const end = (code: "ask_cancelled" | "ask_expired" | "ask_answered") => () =>
    controller.abort(new PermissionGateError(code, code));
  return {
    context: { signal: controller.signal, isNonInteractive: false },
    signal: controller.signal,
    cancel: end("ask_cancelled"),
    expire: end("ask_expired"),
    answeredElsewhere: end("ask_answered"),
  };
}

/** What a promise came to. */
export async function outcomeOf<T>(promise: PromiseLike<T> | T): Promise<{ value: T } | { code: string }> {
  try {
    return { value: await promise };
  } catch (error) {
    return { code: (error as { code?: string }).code ?? String(error) };
  }
}

/** What a promise rejects with; null where it does not. */
export function failureOf(promise: unknown): Promise<Error | null> {
  return Promise.resolve(promise).then(
    () => null,
    (error: Error) => error,
  );
}

export const EMPTY = { waiting: 0, queued: 0, waitingForRoom: 0, readers: 0 };
