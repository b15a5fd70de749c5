import type { DefineTest } from "../../src/index.js";

/** The titles of the tests that a suite defines and that fail, or come to no end without anything that is under way. */
export async function failuresOf(define: (it: DefineTest) => void): Promise<string[]> {
  const tests: [title: string, test: () => Promise<void>][] = [];
  define((title, test) => tests.push([title, test]));
  const failures: string[] = [];
  for (const [title, test] of tests) {
    const isPassed = test().then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([isPassed, nothingUnderWay()]))) failures.push(title);
  }
  return failures;
}

/** False once the queue of microtasks is empty. */
function nothingUnderWay(): Promise<boolean> {
  return new Promise((resolve) => setImmediate(() => resolve(false)));
}
