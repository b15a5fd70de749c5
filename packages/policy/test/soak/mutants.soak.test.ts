import { afterAll, expect, it } from "vitest";
import { forEachParallel } from "../adversarial/support/for-each-parallel.js";
import { createMutant, type Mutant } from "../adversarial/support/mutants.js";
import { Sandbox } from "../adversarial/support/sandbox.js";
import { SeededRandom } from "../adversarial/support/seeded-random.js";
import { allowedIn, type Escape } from "../adversarial/support/trial.js";

/** Which mutants are made; a hit is found again with the seed that the run prints. */
const seed = Number(process.env["SOAK_SEED"] ?? Date.now() % 1_000_000);
/** How many of those that a policy allows are run, each in one of the shells that may get to read it. */
const runs = Number(process.env["SOAK_RUNS"] ?? 100_000);

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

it(`allows none of ${runs} mutants that runs the program, seed ${seed}`, async () => {
  const random = new SeededRandom(seed);
  const counts: { [name: string]: number } = { made: 0, run: 0 };
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
    return counts[name];
  };
  const escapes: Escape[] = [];

  function* allowedMutants(): Generator<{ mutant: Mutant; allowed: ReturnType<typeof allowedIn> }> {
    for (let left = runs; left > 0; ) {
      const mutant = createMutant(random, { quietPercent: 70 });
      count("made");
      const allowed = allowedIn(mutant);
      if (allowed.size === 0) continue;
      left -= 1;
      yield { mutant, allowed };
    }
  }

  await forEachParallel(allowedMutants(), 3, async ({ mutant, allowed }) => {
    const shell = random.pick([...allowed.keys()]);
    if (await sandbox.runsCanary(shell, mutant.text)) {
      const found = allowed.get(shell) ?? [];
      console.log(JSON.stringify(found));
      escapes.push(...found);
    }
    count(shell);
    for (const { policy } of allowed.get(shell) ?? []) count(`policy ${policy}`);
    if (count("run") % 5000 === 0) console.log(JSON.stringify(counts));
  });
  console.log(`seed ${seed}: ${JSON.stringify(counts)}`);
  expect(escapes).toEqual([]);
}, 14_400_000);
