import { afterAll, describe, expect, it } from "vitest";
import { forEachParallel } from "./support/for-each-parallel.js";
import { createMutant } from "./support/mutants.js";
import { Sandbox } from "./support/sandbox.js";
import { SeededRandom } from "./support/seeded-random.js";
import { type Escape, tryForReal } from "./support/trial.js";

const MUTANTS = 3000;
const seed = Number(process.env["ADVERSARIAL_SEED"] ?? 20_061);

describe("mutants of commands that run a program, run for real", () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.close());

  it(`allows none of ${MUTANTS} that runs the program; at least a third do`, async () => {
    const random = new SeededRandom(seed);
    const mutants = Array.from({ length: MUTANTS }, () => createMutant(random, { quietPercent: 25 }));
    const escapes: Escape[] = [];
    let ran = 0;
    let allowed = 0;
    await forEachParallel(mutants, 3, async (mutant) => {
      const trial = await tryForReal(mutant, sandbox, ["bash"]);
      if (trial.ran.has("bash")) ran += 1;
      if (trial.allowed) allowed += 1;
      escapes.push(...trial.escapes);
    });
    console.log(`seed ${seed}: ${ran} of ${MUTANTS} ran the program, ${allowed} were allowed`);
    expect(escapes).toEqual([]);
    expect(ran).toBeGreaterThanOrEqual(MUTANTS / 3);
    expect(allowed).toBeGreaterThanOrEqual(MUTANTS / 20);
  }, 180_000);
});
