/** More of one origin would be another product. */
const MOST_DIFFERENCES = 15;

/**
 * Every deliberate difference is of a vector or of a case that is covered (its test asserts this project's answer), has
 * a reason, and is one of few.
 */
export function judgeDifferences({ vectors, cases, covered, differences }) {
  const problems = [];
  const origins = differences.map(({ id }) => (id.includes("/") ? id.split("/")[0] : "cases"));
  for (const origin of new Set(origins)) {
    const { length } = origins.filter((other) => other === origin);
    if (length > MOST_DIFFERENCES)
      problems.push(`${length} deliberate differences of ${origin} are more than ${MOST_DIFFERENCES}`);
  }
  for (const { id, reason } of differences) {
    if (!vectors.includes(id) && !cases.includes(id))
      problems.push(`${id}: listed as a deliberate difference, but no vector or case has this id`);
    else if (cases.includes(id) && !covered.includes(id))
      problems.push(`${id}: a deliberate difference without a test that asserts the answer given instead`);
    if (!reason) problems.push(`${id}: a deliberate difference without a reason`);
  }
  return { checks: differences.length + 1, problems, notes: [] };
}

/** Every vector has a test that passed, and none that did not. */
export function judgeVectors({ vectors }, tests) {
  const byId = testsById(tests);
  return { checks: vectors.length, problems: vectors.flatMap((id) => problemsOf(id, byId)), notes: [] };
}

/** Every case is either covered, and then has a test that passed, or waits for something named. */
export function judgeCases({ cases, covered, waits }, tests) {
  const byId = testsById(tests);
  const problems = [];
  const notes = [];
  for (const id of cases) {
    const isCovered = covered.includes(id);
    const wait = waits.find((item) => item.id === id);
    if (isCovered && wait !== undefined) problems.push(`${id}: listed both as covered and as waiting`);
    else if (isCovered) problems.push(...problemsOf(id, byId));
    else if (wait === undefined) problems.push(`${id}: listed neither as covered nor as waiting`);
    else if (!wait.reason) problems.push(`${id}: waits without a reason`);
    else if (byId.has(id)) notes.push(`${id} is listed as waiting, and yet has a test`);
  }
  for (const id of [...covered, ...waits.map((item) => item.id)]) {
    if (!cases.includes(id)) problems.push(`${id}: listed, but no case has this id`);
  }
  return { checks: cases.length, problems, notes };
}

/** With a changed answer every test of every vector fails; the deliberate differences are not judged. */
export function judgeMutants({ vectors, differences }, tests) {
  const byId = testsById(tests);
  const judged = vectors.filter((id) => !differences.some((difference) => difference.id === id));
  const problems = judged.flatMap((id) => {
    const found = byId.get(id) ?? [];
    if (found.length === 0) return [`${id}: has no test in a *.vectors.test.ts file`];
    return found
      .filter(({ status }) => status !== "failed")
      .map(({ title, status }) => `${id}: ${status} although its answer was changed: ${title}`);
  });
  return { checks: judged.length, problems, notes: [] };
}

function problemsOf(id, byId) {
  const found = byId.get(id) ?? [];
  if (found.length === 0) return [`${id}: has no test`];
  if (found.some(({ status }) => status === "failed")) return [`${id}: has a test that failed`];
  if (!found.some(({ status }) => status === "passed")) return [`${id}: has no test that passed`];
  return [];
}

/** Tests by every id that stands in square brackets in their title. */
function testsById(tests) {
  const byId = new Map();
  for (const test of tests) {
    for (const [, id] of test.title.matchAll(/\[([^\][\s]+)\]/g))
      byId.set(id, [...(byId.get(id) ?? []), test]);
  }
  return byId;
}
