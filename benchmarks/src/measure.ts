const ROUNDS = 21;
const ROUND_MS = 6;
const WARM_UP_MS = 100;

/** Times a number of calls; nanoseconds per call. */
type Timing<Candidate> = (run: Candidate, calls: number) => number | Promise<number>;

/**
 * Median nanoseconds per call of each candidate. The candidates run side by side in one process: every round measures
 * all of them, each time beginning with another, so that a slow moment of the machine falls on all alike.
 */
export function measure<Name extends string>(
  candidates: Record<Name, () => unknown>,
): Promise<Record<Name, number>> {
  return interleave(candidates, nanosecondsPerCall);
}

/** The same for candidates that give promises, which are awaited one after the other. */
export function measureAsync<Name extends string>(
  candidates: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  return interleave(candidates, nanosecondsPerAwait);
}

async function interleave<Name extends string, Candidate>(
  candidates: Record<Name, Candidate>,
  time: Timing<Candidate>,
): Promise<Record<Name, number>> {
  const names = Object.keys(candidates) as Name[];
  const plans: { name: Name; run: Candidate; calls: number }[] = [];
  for (const name of names) {
    plans.push({ name, run: candidates[name], calls: await callsOfOneRound(candidates[name], time) });
  }
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      if (plan !== undefined) samples.get(plan.name)?.push(await time(plan.run, plan.calls));
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** How many calls take about one round, once the engine has had time to optimise them. */
async function callsOfOneRound<Candidate>(run: Candidate, time: Timing<Candidate>): Promise<number> {
  let calls = 1;
  let warmMs = 0;
  for (;;) {
    const roundMs = ((await time(run, calls)) * calls) / 1e6;
    warmMs += roundMs;
    if (roundMs < ROUND_MS) calls *= 2;
    else if (warmMs >= WARM_UP_MS) return calls;
  }
}

function nanosecondsPerCall(run: () => unknown, calls: number): number {
  let last: unknown;
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) last = run();
  return perCall(start, calls, last);
}

async function nanosecondsPerAwait(run: () => Promise<unknown>, calls: number): Promise<number> {
  let last: unknown;
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) last = await run();
  return perCall(start, calls, last);
}

function perCall(start: bigint, calls: number, last: unknown): number {
  const elapsed = Number(process.hrtime.bigint() - start);
  // Read the result, so that no engine may skip the work.
  if (last === undefined)
    throw new Error("A candidate gave nothing: it did not do the work that is measured");
  return elapsed / calls;
}

function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** `0.23 µs`, `1.9 µs`, `240 µs`: two or three figures. */
export function showTime(nanoseconds: number): string {
  const microseconds = nanoseconds / 1000;
  const decimals = microseconds < 1 ? 2 : microseconds < 100 ? 1 : 0;
  return `${microseconds.toFixed(decimals)} µs`;
}
