const ROUNDS = 21;
const ROUND_MS = 6;
const WARM_UP_MS = 100;

/**
 * Median nanoseconds per call of each candidate. The candidates run side by side in one process: every round measures
 * all of them, each time beginning with another, so that a slow moment of the machine falls on all alike.
 */
export function measure<Name extends string>(candidates: Record<Name, () => unknown>): Record<Name, number> {
  const names = Object.keys(candidates) as Name[];
  const plans = names.map((name) => ({
    name,
    run: candidates[name],
    calls: callsOfOneRound(candidates[name]),
  }));
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      if (plan !== undefined) samples.get(plan.name)?.push(nanosecondsPerCall(plan.run, plan.calls));
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** How many calls take about one round, once the engine has had time to optimise them. */
function callsOfOneRound(run: () => unknown): number {
  let calls = 1;
  let warmMs = 0;
  for (;;) {
    const roundMs = (nanosecondsPerCall(run, calls) * calls) / 1e6;
    warmMs += roundMs;
    if (roundMs < ROUND_MS) calls *= 2;
    else if (warmMs >= WARM_UP_MS) return calls;
  }
}

function nanosecondsPerCall(run: () => unknown, calls: number): number {
  let last: unknown;
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) last = run();
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
