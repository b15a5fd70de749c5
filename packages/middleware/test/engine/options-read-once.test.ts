import { MemoryGrantStore } from "@x/permission-core";
import { ManualClock, sequentialIds } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { type EngineOptions, ToolEngine, ToolPipeline } from "../../src/index.js";
import { toolOf } from "../support/engine-harness.js";

/** Options that note each reading of one. */
function noting<Options extends object>(options: Options) {
  const reads: PropertyKey[] = [];
  const noted = new Proxy(options, {
    get(target, name) {
      reads.push(name);
      return Reflect.get(target, name);
    },
  });
  return { noted, reads };
}

const seams = () => ({
  clock: new ManualClock(),
  ids: sequentialIds(),
  onReport: () => {},
  checkTimeoutMs: 10,
});

it("has an engine read each of its options once, so that what was checked is what counts", () => {
  const pipeline = ToolPipeline.builder()
    .withCore([toolOf("deploy")])
    .withoutGate()
    .build();
  const options: Required<EngineOptions> = {
    ...seams(),
    pipeline,
    hooks: [],
    askResolver: () => false,
    askTimeoutMs: 10,
    grants: new MemoryGrantStore(),
    rememberTools: [],
    guards: [],
    observers: [],
    sessionId: "s",
    runId: "r",
    agent: "a",
    isNonInteractive: true,
  };
  const { noted, reads } = noting(options);
  new ToolEngine(noted);
  expect(reads.toSorted()).toEqual(Object.keys(options).toSorted());
});

it("has a pipeline read each of its options once, when they are given", () => {
  const options = seams();
  const { noted, reads } = noting(options);
  const builder = ToolPipeline.builder(noted)
    .withCore([toolOf("deploy")])
    .withoutGate();
  expect(reads.toSorted()).toEqual(Object.keys(options).toSorted());
  builder.build();
  expect(reads).toHaveLength(Object.keys(options).length);
});
