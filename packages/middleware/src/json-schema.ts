import { type Awaitable, cloneJson, type JsonValue } from "@x/permission-core";
import { checkOption } from "./check-option.js";
import { describeProblems } from "./input-problems.js";
import { compileSchema, type JsonSchemaJudge } from "./json-schema/compile-schema.js";
import type { Tool, ToolContext } from "./tool.js";

export interface JsonSchemaToolDefinition<Name extends string> {
  /** what the model calls it by; not empty */
  name: Name;
  description: string;
  /** JSON Schema of draft 4 to 2020-12 by its `$schema`, else 2020-12. Copied; references must stay within it. */
  inputSchema: JsonValue;
  /** It changes nothing anywhere. Default false. */
  readOnly?: boolean;
  /** Which kind of tool a policy takes it for (`Read`, `Bash`, …). Default: by name. */
  kind?: string;
  /** Runs with the model's input, which fits the schema; defaults in the schema are not filled in. */
  run(input: JsonValue, context: ToolContext): Awaitable<unknown>;
}

/**
 * Makes a tool from plain JSON Schema, as tool servers list theirs. Formats that the validator knows are enforced. An input
 * that the schema cannot judge (references without end) is refused.
 *
 * Throws `invalid_option` for an empty name, a `run` that is no function, and a broken schema: also one that refers to
 * another document, since nothing is ever fetched.
 */
export function jsonSchemaTool<const Name extends string>(
  definition: JsonSchemaToolDefinition<Name>,
): Tool<Name, JsonValue> {
  const { name, description, inputSchema, readOnly, kind } = definition;
  checkOption(
    typeof name === "string" && name !== "",
    "name",
    name,
    "the tool's name, a text that is not empty",
  );
  checkOption(typeof definition.run === "function", `run of tool '${name}'`, definition.run, "a function");
  const judge = compileSchema(inputSchema, `inputSchema of tool '${name}'`);
  return {
    name,
    description,
    inputSchema: cloneJson(inputSchema),
    ...(readOnly === undefined ? undefined : { readOnly }),
    ...(kind === undefined ? undefined : { kind }),
    parse: (input) => judged(judge, input),
    call: (input, context) => definition.run(input, context),
  };
}

/** Fails closed: what cannot be judged does not fit. */
function judged(judge: JsonSchemaJudge, input: JsonValue): { value: JsonValue } | { error: string } {
  try {
    const problems = judge(input);
    return problems.length === 0 ? { value: input } : { error: describeProblems(problems) };
  } catch {
    return { error: "input: cannot be judged by the tool's schema" };
  }
}
