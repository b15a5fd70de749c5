import { describe, expect, it } from "vitest";
import {
  MemoizeMiddleware,
  PermissionMiddleware,
  TimeoutMiddleware,
  type Tool,
  type ToolMiddleware,
  ToolPipeline,
  ToolRegistry,
} from "../../src/index.js";

const tool: Tool = { name: "t", description: "", inputSchema: {}, call: () => "ran" };
const gate = () => PermissionMiddleware.allowAll();
const builder = () => ToolPipeline.builder({ onReport: () => {} });
const code = (expected: string) => expect.objectContaining({ code: expected });

describe("building a pipeline", () => {
  it("without tools throws no_core", () => {
    expect(() => builder().withMiddleware(gate()).build()).toThrow(code("no_core"));
  });

  it("without a gate throws no_gate, unless that was said to be meant", async () => {
    const layers = builder().withCore([tool]).withMiddleware(new TimeoutMiddleware(1));
    expect(() => layers.build()).toThrow(code("no_gate"));
    const result = await layers.withoutGate().build().invoke({ toolName: "t", callId: "c", input: null });
    expect(result).toMatchObject({ output: "ran", gate: null });
  });

  it("with two tools of one name throws duplicate_tool", () => {
    expect(() => builder().withCore([tool, tool])).toThrow(code("duplicate_tool"));
  });

  it("with a cache outside the gate throws invalid_option, unless that was said to be meant", () => {
    const build = (...layers: ToolMiddleware[]) =>
      layers.reduce((so, layer) => so.withMiddleware(layer), builder().withCore([tool])).build();
    expect(() => build(new MemoizeMiddleware(), gate())).toThrow(code("invalid_option"));
    expect(() => build(gate(), new MemoizeMiddleware(), gate())).toThrow(code("invalid_option"));
    expect(build(gate(), new MemoizeMiddleware())).toBeInstanceOf(ToolPipeline);
    expect(build(new MemoizeMiddleware({ unsafeOutsideGate: true }), gate())).toBeInstanceOf(ToolPipeline);
  });

  it("returns the same builder from every step", () => {
    const given = builder();
    expect(given.withCore([tool])).toBe(given);
    expect(given.withMiddleware(gate())).toBe(given);
    expect(given.withoutGate()).toBe(given);
  });

  it("keeps a pipeline as it was built, whatever is added to its builder later", async () => {
    const given = builder().withCore([tool]).withMiddleware(gate());
    const first = given.build();
    const second = given.withMiddleware(PermissionMiddleware.denyAll()).build();
    const call = { toolName: "t", callId: "c", input: null };
    expect((await first.invoke(call)).output).toBe("ran");
    expect((await second.invoke(call)).gate?.verdict).toBe("deny");
  });

  it("takes a registry as it is, so that tools added to it later can be called", async () => {
    const registry = new ToolRegistry([tool]);
    const pipeline = builder().withCore(registry).withMiddleware(gate()).build();
    expect(pipeline.registry).toBe(registry);
    registry.register({ ...tool, name: "later", call: () => "later" });
    expect((await pipeline.invoke({ toolName: "later", callId: "c", input: null })).output).toBe("later");
  });

  it("takes a registry of another loaded copy of this package", async () => {
    const registry = new ToolRegistry([tool]);
    const foreign = { get: registry.get.bind(registry), names: () => registry.names(), nearest: () => [] };
    const pipeline = builder()
      .withCore(foreign as unknown as ToolRegistry)
      .withMiddleware(gate())
      .build();
    expect((await pipeline.invoke({ toolName: "t", callId: "c", input: null })).output).toBe("ran");
  });

  it("takes any iterable of tools", async () => {
    function* tools() {
      yield tool;
      yield { ...tool, name: "u" };
    }
    expect(builder().withCore(tools()).withMiddleware(gate()).build().registry.names()).toEqual(["t", "u"]);
  });
});

it("the layer registered first is the outermost", async () => {
  const order: string[] = [];
  const layer = (name: string): ToolMiddleware => ({
    name,
    async dispatch(_, next) {
      order.push(`${name} in`);
      const result = await next();
      order.push(`${name} out`);
      return result;
    },
  });
  const pipeline = builder()
    .withCore([tool])
    .withMiddleware(layer("first"))
    .withMiddleware(gate())
    .withMiddleware(layer("second"))
    .build();
  await pipeline.invoke({ toolName: "t", callId: "c", input: null });
  expect(order).toEqual(["first in", "second in", "second out", "first out"]);
});
