import { type JsonValue, PermissionCheck, type PermissionPolicy } from "@x/permission-core";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import {
  allowReadOnlyAskRest,
  createGate,
  defineTool,
  type Gate,
  type GateOptions,
  type Tool,
  type ToolChecks,
  type ToolDispatchContext,
  type ToolDispatchResult,
} from "../../src/index.js";

const read = defineTool({
  name: "read",
  description: "Reads a file",
  input: z.object({ path: z.string(), limit: z.number().default(10) }),
  run: ({ path, limit }) => `${path}:${limit}`,
});
const write = defineTool({
  name: "write",
  description: "Writes a file",
  input: z.object({ path: z.string(), text: z.string() }),
  run: () => null,
});
const tools = [read, write] as const;

const ALLOW = { kind: "allow" } as const;
const policy: PermissionPolicy = {
  evaluate: () => ({
    effect: "allow",
    reason: "",
    rule: null,
    configuredAsk: false,
    flooredConfiguredAllow: false,
    parts: [],
  }),
  learn: () => null,
  learnable: () => null,
};

describe("the options of createGate", () => {
  it("take a check for every tool, fixed or a function", () => {
    expectTypeOf(createGate({ tools, checks: { read: ALLOW, write: () => ALLOW } })).toEqualTypeOf<Gate>();
    expectTypeOf(createGate({ tools: [read], checks: { read: async () => ALLOW } })).toEqualTypeOf<Gate>();
  });

  it("do not compile where a tool is forgotten", () => {
    // @ts-expect-error -- `write` has neither a check nor a policy
    createGate({ tools, checks: { read: ALLOW } });
    // @ts-expect-error -- no tool has
    createGate({ tools, checks: {} });
    // @ts-expect-error -- nor here
    createGate({ tools });
    // @ts-expect-error -- a check that may be undefined is none
    createGate({ tools, checks: { read: ALLOW, write: undefined } });
  });

  it("do not compile where a check is for a tool that is not there", () => {
    // @ts-expect-error -- there is no tool `delete`
    createGate({ tools, checks: { read: ALLOW, write: ALLOW, delete: ALLOW } });
    // @ts-expect-error -- a policy makes checks optional, and not this one right
    createGate({ tools, policy, checks: { delete: ALLOW } });
  });

  it("offer to remember only tools that are there", () => {
    const checks = { read: ALLOW, write: ALLOW };
    expectTypeOf(createGate({ tools, checks, rememberTools: ["write"] })).toEqualTypeOf<Gate>();
    // @ts-expect-error -- there is no tool `delete`
    createGate({ tools, checks, rememberTools: ["delete"] });
  });

  it("take a decision of `PermissionCheck` from a check without parameters, at once or later", () => {
    const read = () => PermissionCheck.allow();
    expectTypeOf(
      createGate({ tools, checks: { read, write: async () => PermissionCheck.deny("no") } }),
    ).toEqualTypeOf<Gate>();
    expectTypeOf(
      createGate({ tools, checks: { read, write: allowReadOnlyAskRest() } }),
    ).toEqualTypeOf<Gate>();
  });

  it("let a policy judge the tools that have no check", () => {
    expectTypeOf(createGate({ tools, policy })).toEqualTypeOf<Gate>();
    expectTypeOf(createGate({ tools, policy, checks: {} })).toEqualTypeOf<Gate>();
    expectTypeOf(createGate({ tools, policy, checks: { write: ALLOW } })).toEqualTypeOf<Gate>();
  });

  it("show each check its own tool's parsed input, and the call", () => {
    createGate({
      tools,
      checks: {
        read(input, context) {
          expectTypeOf(input).toEqualTypeOf<{ path: string; limit: number }>();
          expectTypeOf(context).toEqualTypeOf<ToolDispatchContext>();
          return ALLOW;
        },
        write: ({ text }) => {
          expectTypeOf(text).toEqualTypeOf<string>();
          return { kind: "deny", reason: text };
        },
      },
    });
    createGate({
      tools,
      checks: {
        read: ALLOW,
        // @ts-expect-error -- `write` has no `limit`
        write: ({ limit }) => (limit === 1 ? ALLOW : ALLOW),
      },
    });
  });

  it("do not compile where a check decides nothing", () => {
    // @ts-expect-error -- a boolean is no decision
    createGate({ tools: [read], checks: { read: () => true } });
    // @ts-expect-error -- a denial has a reason
    createGate({ tools: [read], checks: { read: { kind: "deny" } } });
    // @ts-expect-error -- a check that falls through decides nothing
    createGate({ tools: [read], checks: { read: () => {} } });
  });

  it("take tools that are plain objects, whose checks see an input of an unknown type", () => {
    const plain = { name: "plain", description: "", inputSchema: {}, call: () => null } as const;
    createGate({
      tools: [plain],
      checks: {
        plain(input) {
          expectTypeOf(input).toEqualTypeOf<unknown>();
          return ALLOW;
        },
      },
    });
    // @ts-expect-error -- `plain` is forgotten
    createGate({ tools: [plain, read], checks: { read: ALLOW } });
  });

  it("take tools whose names are not known beforehand, with checks by any name", () => {
    const discovered: Tool[] = [read, write];
    expectTypeOf<ToolChecks<Tool[]>>().toExtend<{ [name: string]: unknown }>();
    expectTypeOf(createGate({ tools: discovered, checks: { read: ALLOW } })).toEqualTypeOf<Gate>();
  });

  it("are those of the engine under the same names", () => {
    type Options = GateOptions<typeof tools>;
    expectTypeOf<Options["askTimeoutMs"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Options["mode"]>().toExtend<string | (() => string) | undefined>();
    // @ts-expect-error -- there is no such mode
    createGate({ tools, policy, mode: "yolo" });
  });

  it("make a gate whose calls and answers have types", () => {
    expectTypeOf<Awaited<ReturnType<Gate["dispatch"]>>>().toEqualTypeOf<ToolDispatchResult>();
    expectTypeOf<ToolDispatchResult["output"]>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Gate>().toExtend<AsyncDisposable>();
  });
});
