import { displaySafe } from "@x/permission-core";

const LONGEST = 300;
/** A server that does not know a command repeats what came with it, which with `AUTH` is the password. */
const REPEATED = /,? with args beginning with.*/is;

/** What an error of a client tells, as the end of a message: one line, without a full stop, and no arguments of commands. */
export function reasonOf(error: unknown): string {
  const reason = messageOf(error).replace(/\.$/, "");
  return reason === "" ? "it is not known why" : displaySafe(reason, { maxLength: LONGEST }).text;
}

/**
 * The error for whoever may print it. The client's own carries the command that it answers, with all arguments: where a
 * server refuses a user, the password.
 */
export function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const node = nodeErrorOf(error);
  if (node === undefined && !("command" in error)) return error;
  const bare = new Error(messageOf(error), node === undefined ? undefined : { cause: withoutCommand(node) });
  bare.name = error.name;
  return bare;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const message = error.message.replace(REPEATED, "");
  // Of several ways to one server that all failed, the first tells.
  if (message === "" && error instanceof AggregateError) return messageOf(error.errors[0]);
  const node = messageOf(nodeErrorOf(error));
  return node === "" ? message : `${message.replace(/\.$/, "")}: ${node}`;
}

/** What the last node answered of a Cluster that cannot be used. */
function nodeErrorOf(error: Error): unknown {
  return "lastNodeError" in error ? error.lastNodeError : undefined;
}
