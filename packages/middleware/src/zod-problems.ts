import type { $ZodIssue } from "zod/v4/core";
import { fieldName, type InputProblem } from "./input-problems.js";

/** What zod says where no locale is loaded, which `zod/mini` does not do by itself. */
const UNWORDED = "Invalid input";

/** Turns zod's issues into problems in their order. Messages are the schema's and the locale's own where there are any. */
export function zodProblems(issues: readonly $ZodIssue[]): InputProblem[] {
  return issues.map((issue) => ({ path: issue.path, message: wordsFor(issue) }));
}

function wordsFor(issue: $ZodIssue): string {
  if (issue.code === "invalid_union" && issue.errors.length > 0 && issue.message === UNWORDED) {
    return `fits none of its forms: ${issue.errors.map(alternative).join(" or ")}`;
  }
  if (issue.code === "invalid_key" || issue.code === "invalid_element") {
    return `${issue.message}: ${issue.issues.map(wordsFor).join(" and ")}`;
  }
  return issue.message === UNWORDED ? plainWords(issue) : issue.message;
}

/** Why one form of a union does not fit; its paths start at the union. */
function alternative(issues: readonly $ZodIssue[]): string {
  const words = issues.map((issue) =>
    issue.path.length === 0 ? wordsFor(issue) : `${fieldName(issue.path)}: ${wordsFor(issue)}`,
  );
  return `(${words.join(" and ")})`;
}

function plainWords(issue: $ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${issue.expected}`;
    case "invalid_value":
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_big":
      return `expected ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    case "too_small":
      return `expected ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "invalid_format":
      return `expected the format ${issue.format}`;
    case "not_multiple_of":
      return `expected a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `unknown: ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    default:
      return "is not valid";
  }
}
