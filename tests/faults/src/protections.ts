import type { Redis } from "ioredis";

/** One change of a script's text. */
interface Edit {
  readonly from: string;
  readonly to: string;
}

/** What of the scripts keeps a promise, and the change that takes it away and nothing else. */
export const PROTECTIONS = {
  /** an ask that Redis lost is stored again */
  storingAgain: [
    { from: "return 'gone'", to: "return 'pending'" },
    { from: "return { 'gone' }", to: "return { 'pending' }" },
  ],
  /** the call of a process that died finds its ask */
  reattaching: [
    {
      from: "local function find(id, call, wait, expires, life, mode, stale)",
      to: "local function find(id, call, wait, expires, life, mode, stale) do return nil end",
    },
  ],
  /** an answer that was read is claimed */
  claiming: [
    {
      from: "claimed[#claimed + 1] = time",
      to: "do return { 'answer', answer } end claimed[#claimed + 1] = time",
    },
  ],
  /** an ask takes one answer */
  singleUse: [
    { from: "'NX', 'GET', 'PX'", to: "'PX'" },
    { from: "if given then return {", to: "if false then return {" },
  ],
  /** a script refuses to run once its caller gave up */
  until: [{ from: "if now >= tonumber(ARGV[1]) then", to: "if false then" }],
  /** parking that is sent again is the same parking */
  parkToken: [{ from: "if mode ~= 'again' or not stored[2] then return { 'parked' } end", to: "" }],
  /** an answer that is sent again is the same answer */
  answerToken: [{ from: "token == ownToken or", to: "" }],
  /** taking an answer that is sent again is the same taking */
  consumeToken: [
    {
      from: "if ask[2] then return { 'answer', answer or '' } end",
      to: "if ask[2] then return { 'ended', 'already_answered' } end",
    },
  ],
  /** an answer is found by looking for it, though nothing told of it */
  lookingForAnswers: [{ from: "== 1 then return 'read' end", to: "== 1 then return 'pending' end" }],
  /** what ended is taken down */
  takingDown: [
    {
      from: "local function finish(id, wait, status)",
      to: "local function finish(id, wait, status) do return { 0 } end",
    },
  ],
  /** late answers read how the ask ended */
  rememberingEnds: [
    {
      from: "if ask[5] == 'ended' then return ask[6] or '' end",
      to: "if ask[5] == 'ended' then return 'unknown' end",
    },
  ],
} as const satisfies Record<string, readonly Edit[]>;

export type Protection = keyof typeof PROTECTIONS;

/** Has every script that the client is given run without one protection. */
export function removeProtection(redis: Redis, protection: Protection): void {
  const evaluate = redis.eval.bind(redis) as (...args: unknown[]) => Promise<unknown>;
  const edits: readonly Edit[] = PROTECTIONS[protection];
  const changed = (text: string) => edits.reduce((before, { from, to }) => before.replace(from, to), text);
  Object.assign(redis, {
    evalsha: () => Promise.reject(new Error("NOSCRIPT")),
    eval: (text: string, ...rest: unknown[]) => evaluate(changed(text), ...rest),
  });
}
