import { type Awaitable, cloneJson, type JsonValue, PermissionGateError } from "@x/permission-core";
import * as z from "zod/mini";
import { type $ZodType, config, type ParsePayload, util } from "zod/v4/core";
import { checkOption } from "./check-option.js";
import { describeProblems } from "./input-problems.js";
import type { Tool, ToolContext } from "./tool.js";
import { zodProblems } from "./zod-problems.js";

export interface ToolDefinition<Name extends string, Schema extends $ZodType> {
  /** what the model calls it by; not empty */
  name: Name;
  description: string;
  /** a schema of `zod` or `zod/mini`; keys it does not know are treated as zod treats them */
  input: Schema;
  /** It changes nothing anywhere. Default false. */
  readOnly?: boolean;
  /** Which kind of tool a policy takes it for (`Read`, `Bash`, …). Default: by name. */
  kind?: string;
  /** Runs with the parsed input. May throw `ToolPermissionError`. */
  run(input: z.output<Schema>, context: ToolContext): Awaitable<unknown>;
}

/**
 * Makes a tool from a zod schema: the model is told its input side as JSON Schema, and every call is parsed by it. `parse`
 * gives a promise only where the schema has an asynchronous refinement or a transform; it throws what a refinement throws.
 *
 * Throws `invalid_option` for an empty name, a `run` that is no function, and a schema whose input JSON Schema cannot
 * describe (dates, maps, bigints, …).
 */
export function defineTool<const Name extends string, Schema extends $ZodType>(
  definition: ToolDefinition<Name, Schema>,
): Tool<Name, z.output<Schema>> {
  const { name, description, input: schema, readOnly, kind } = definition;
  checkOption(
    typeof name === "string" && name !== "",
    "name",
    name,
    "the tool's name, a text that is not empty",
  );
  checkOption(typeof definition.run === "function", `run of tool '${name}'`, definition.run, "a function");
  return {
    name,
    description,
    inputSchema: inputSchemaOf(name, schema),
    ...(readOnly === undefined ? undefined : { readOnly }),
    ...(kind === undefined ? undefined : { kind }),
    parse: (input) => parseWith(schema, input),
    call: (input, context) => definition.run(input, context),
  };
}

function inputSchemaOf(name: string, schema: $ZodType): JsonValue {
  try {
    return cloneJson(z.toJSONSchema(schema, { io: "input" }));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PermissionGateError(
      "invalid_option",
      `The input of tool '${name}' has no JSON Schema that a model could be told: ${why}.`,
      { cause },
    );
  }
}

type Parsed<Schema extends $ZodType> = { value: z.output<Schema> } | { error: string };

/**
 * One pass in zod's asynchronous mode, which is synchronous where nothing in the schema is not. Trying the synchronous
 * mode first would run asynchronous refinements twice, and leave the first run's rejection to nobody.
 */
function parseWith<Schema extends $ZodType>(schema: Schema, input: JsonValue): Awaitable<Parsed<Schema>> {
  const outcome = schema._zod.run({ value: input, issues: [] }, { async: true });
  return outcome instanceof Promise ? outcome.then((settled) => concluded(settled)) : concluded(outcome);
}

function concluded<Schema extends $ZodType>({ value, issues }: ParsePayload): Parsed<Schema> {
  if (issues.length === 0) return { value: value as z.output<Schema> };
  const worded = issues.map((issue) => util.finalizeIssue(issue, undefined, config()));
  return { error: describeProblems(zodProblems(worded)) };
}
