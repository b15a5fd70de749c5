import type { Awaitable } from "@x/permission-core";
import { deliberateDifferences } from "./deliberate-differences.js";
import { isMutatedRun } from "./mutate/mutated-run.js";
import type { Vector } from "./vector.js";
import { type VectorGroupName, type VectorTypes, vectorGroup } from "./vector-group.js";

/** A test runner's `it`: vitest, node:test, Jest and Mocha have one. */
export type DefineTest = (title: string, test: () => Promise<void>) => unknown;

export interface DescribeVectorsOptions<V> {
  it: DefineTest;
  /** Throws or rejects when the vector's answer is not met. It compares every answer field. */
  run(vector: V): Awaitable<void>;
  /** The vectors of the group to test here; the others need a test elsewhere. Default: all. */
  only?(vector: V): boolean;
}

/**
 * Defines one test for each vector of the group that is wanted, titled `[<id>] <name>`. For a deliberate difference the test is that
 * `run` fails.
 */
export function describeVectors<Name extends VectorGroupName>(
  group: Name,
  { it, run, only = () => true }: DescribeVectorsOptions<VectorTypes[Name]>,
): void {
  for (const vector of vectorGroup(group).filter((candidate) => only(candidate))) {
    const { id, name }: Vector = vector;
    const isDifference = !isMutatedRun() && deliberateDifferences.some((difference) => difference.id === id);
    it(`[${id}] ${name}`, async () => {
      if (isDifference) await requireFailure(id, async () => run(vector));
      else await run(vector);
    });
  }
}

async function requireFailure(id: string, run: () => Promise<void>): Promise<void> {
  const isMet = await run().then(
    () => true,
    () => false,
  );
  if (isMet)
    throw new Error(
      `${id} is listed as a deliberate difference, and yet its answer is met: take it off the list`,
    );
}
