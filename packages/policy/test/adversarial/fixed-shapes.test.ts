import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forEachParallel } from "./support/for-each-parallel.js";
import { naivelyAllows } from "./support/naive-policy.js";
import { allButCanary } from "./support/policies.js";
import { Sandbox } from "./support/sandbox.js";
import { type Shape, shapes } from "./support/shapes.js";
import { type Escape, tryForReal } from "./support/trial.js";

describe("commands that run a program behind a policy's back, run for real", () => {
  const sandbox = new Sandbox();
  const ranInBash: Shape[] = [];
  const ranInDash: Shape[] = [];
  const escapes: (Escape & { id: string })[] = [];

  beforeAll(async () => {
    const executed = shapes.filter((shape) => shape.executed);
    await forEachParallel(executed, 3, async (shape) => {
      const trial = await tryForReal(shape, sandbox, ["bash", "dash"]);
      if (trial.ran.has("bash")) ranInBash.push(shape);
      if (trial.ran.has("dash")) ranInDash.push(shape);
      escapes.push(...trial.escapes.map((found) => ({ id: shape.id, ...found })));
    });
    console.log(`${executed.length} shapes: ${ranInBash.length} ran in bash, ${ranInDash.length} in dash`);
  }, 120_000);
  afterAll(() => sandbox.close());

  it("allows no command that runs the program, whatever the policy", () => {
    expect(escapes).toEqual([]);
  });

  it("tries at least 400 shapes, each under an id of its own, of which at least 350 run the program", () => {
    expect(shapes.length).toBeGreaterThanOrEqual(400);
    expect(new Set(shapes.map(({ id }) => id)).size).toBe(shapes.length);
    expect(ranInBash.length).toBeGreaterThanOrEqual(350);
    expect(ranInDash.length).toBeGreaterThanOrEqual(350);
  });

  it("catches a policy that only looks at the parser's command names, at least 20 times", () => {
    const caught = ranInBash.filter(({ text }) => naivelyAllows(text));
    console.log(`a naive policy is caught on ${caught.length} shapes`);
    expect(caught.length).toBeGreaterThanOrEqual(20);
  });

  it("denies or asks where the program could leave the sandbox", () => {
    const unexecuted = shapes.filter((shape) => !shape.executed);
    expect(unexecuted.length).toBeGreaterThan(0);
    expect(unexecuted.filter(({ text }) => allButCanary.effectOf("Bash", text) === "allow")).toEqual([]);
  });
});
