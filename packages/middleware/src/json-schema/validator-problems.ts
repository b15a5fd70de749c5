import type { OutputUnit } from "@cfworker/json-schema";
import type { InputProblem } from "../input-problems.js";

/** Keywords whose errors only say that something within is wrong, which an error of its own tells. */
const WRAPPERS = new Set([
  "$ref",
  "$recursiveRef",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "dependentSchemas",
  "if",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Turns a validator's output into problems, each at the field it is about. */
export function validatorProblems(errors: readonly OutputUnit[]): InputProblem[] {
  const telling = errors.filter(({ keyword }) => !WRAPPERS.has(keyword));
  return (telling.length > 0 ? telling : errors).map(({ keyword, instanceLocation, error }) => ({
    path: pathOf(instanceLocation),
    message: keyword === "false" ? "is not allowed" : error.replace(/\.$/, ""),
  }));
}

/** Reads a JSON pointer in a URI fragment (`#/a~1b/0/c%20d`). */
function pathOf(location: string): string[] {
  return location
    .split("/")
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
}
