import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { judgeCases, judgeDifferences, judgeMutants, judgeVectors } from "../src/judge.js";

const test = (title, status = "passed") => ({ title, status });
const reason = "because";

describe("vectors", () => {
  const data = { vectors: ["x/a/01-one", "x/a/02-two"] };

  it("are fine with a passed test each, whatever stands around the id", () => {
    const tests = [
      test("group [x/a/01-one] one"),
      test("[x/a/02-two] two"),
      test("[x/a/02-two] again", "skipped"),
    ];
    assert.deepEqual(judgeVectors(data, tests), { checks: 2, problems: [], notes: [] });
  });

  it("are named when their test is missing, failed or only skipped", () => {
    assert.deepEqual(judgeVectors(data, [test("x/a/01-one"), test("[x/a/02-two-more] two")]).problems, [
      "x/a/01-one: has no test",
      "x/a/02-two: has no test",
    ]);
    const tests = [test("[x/a/01-one]"), test("[x/a/01-one]", "failed"), test("[x/a/02-two]", "skipped")];
    assert.deepEqual(judgeVectors(data, tests).problems, [
      "x/a/01-one: has a test that failed",
      "x/a/02-two: has no test that passed",
    ]);
  });
});

describe("cases", () => {
  it("need a passed test where they are covered, and one title may have several", () => {
    const data = { cases: ["CASE-001", "CASE-002"], covered: ["CASE-001", "CASE-002"], waits: [] };
    assert.deepEqual(judgeCases(data, [test("[CASE-001] [CASE-002] both")]).problems, []);
    assert.deepEqual(judgeCases(data, [test("[CASE-001] one")]).problems, ["CASE-002: has no test"]);
  });

  it("need a reason where they wait, and are noted when tested all the same", () => {
    const data = {
      cases: ["CASE-001", "CASE-002"],
      covered: [],
      waits: [{ id: "CASE-001", reason }, { id: "CASE-002" }],
    };
    const { problems, notes } = judgeCases(data, [test("[CASE-001] early")]);
    assert.deepEqual(problems, ["CASE-002: waits without a reason"]);
    assert.deepEqual(notes, ["CASE-001 is listed as waiting, and yet has a test"]);
  });

  it("are listed once each, and nothing else is", () => {
    const data = {
      cases: ["CASE-001", "CASE-002"],
      covered: ["CASE-001", "CASE-009"],
      waits: [{ id: "CASE-001", reason }],
    };
    assert.deepEqual(judgeCases(data, []).problems, [
      "CASE-001: listed both as covered and as waiting",
      "CASE-002: listed neither as covered nor as waiting",
      "CASE-009: listed, but no case has this id",
    ]);
  });
});

describe("deliberate differences", () => {
  it("are of a vector, with a reason, and at most 15 of one origin", () => {
    const of = (origin) => Array.from({ length: 16 }, (_, index) => `${origin}/a/${index}`);
    const vectors = [...of("x"), ...of("y")];
    const judge = (ids) =>
      judgeDifferences({
        vectors,
        cases: [],
        covered: [],
        differences: ids.map((id) => ({ id, reason })),
      }).problems;
    assert.deepEqual(judge([...of("x").slice(1), ...of("y").slice(1)]), []);
    assert.deepEqual(judge(of("x")), ["16 deliberate differences of x are more than 15"]);
    const differences = [{ id: "x/b", reason: "" }];
    assert.deepEqual(judgeDifferences({ vectors, cases: [], covered: [], differences }).problems, [
      "x/b: listed as a deliberate difference, but no vector or case has this id",
      "x/b: a deliberate difference without a reason",
    ]);
  });

  it("may be of a case, which must be covered", () => {
    const judge = (covered) =>
      judgeDifferences({
        vectors: [],
        cases: ["CASE-001"],
        covered,
        differences: [{ id: "CASE-001", reason }],
      }).problems;
    assert.deepEqual(judge(["CASE-001"]), []);
    assert.deepEqual(judge([]), [
      "CASE-001: a deliberate difference without a test that asserts the answer given instead",
    ]);
  });
});

describe("mutants", () => {
  const data = { vectors: ["x/a/01-one", "x/a/02-two"], differences: [{ id: "x/a/02-two", reason }] };

  it("must all fail; deliberate differences are not judged", () => {
    const tests = [
      test("[x/a/01-one] one (a changed)", "failed"),
      test("[x/a/01-one] one (b changed)", "failed"),
    ];
    assert.deepEqual(judgeMutants(data, tests), { checks: 1, problems: [], notes: [] });
  });

  it("are named when they pass, are skipped or are missing", () => {
    const tests = [test("[x/a/01-one] one (a changed)"), test("[x/a/01-one] one (b changed)", "skipped")];
    assert.deepEqual(judgeMutants(data, tests).problems, [
      "x/a/01-one: passed although its answer was changed: [x/a/01-one] one (a changed)",
      "x/a/01-one: skipped although its answer was changed: [x/a/01-one] one (b changed)",
    ]);
    assert.deepEqual(judgeMutants(data, []).problems, [
      "x/a/01-one: has no test in a *.vectors.test.ts file",
    ]);
  });
});
