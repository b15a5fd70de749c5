import type { AskAnswer, AskFunction, AskResolution, AskResolver } from "@x/permission-core";
import { PermissionCheck } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gateRig, gateSaying, INPUT, recordOf } from "../support/gate-rig.js";

const ASK = PermissionCheck.ask("run?");
const RESOLVER_ERROR = recordOf("ask_denied", "ask", "ask_resolver", "resolver error");

/** What comes of `given`, from a resolver or from a plain function, at once or promised. */
async function outcomeOf(given: unknown, as: "resolver" | "function", later = false) {
  const answer = () => (later ? Promise.resolve(given) : given) as AskResolution;
  const resolver: AskResolver | AskFunction =
    as === "function" ? answer : { interactive: false, resolve: answer };
  const { invoke, inputs } = gateRig(gateSaying(ASK).withAskResolver(resolver));
  return { result: await invoke(), inputs };
}

const NONSENSE: readonly [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["1", 1],
  ["a yes", "yes"],
  ["approve in lower case", "approve"],
  ["Approve with a space", "Approve "],
  ["a boxed text", new String("Approve")],
  ["a boxed true", new Boolean(true)],
  ["an empty object", {}],
  ["a list with the word", ["Approve"]],
  ["a resolution that is unknown", { resolution: "Maybe" }],
  ["a resolution that is true", { resolution: true }],
  ["an inherited resolution", Object.create({ resolution: "Approve" })],
  ["a list with a resolution", Object.assign([], { resolution: "Approve" })],
  ["a function with a resolution", Object.assign(() => {}, { resolution: "Approve" })],
  ["a reason that is no text", { resolution: "Approve", reason: 1 }],
  ["a way of remembering that is unknown", { resolution: "Approve", remember: "forever" }],
  [
    "an end of remembering that is no time",
    { resolution: "Approve", remember: "this_call", remember_until_ms: -1 },
  ],
  ["a denial to be remembered for a session", { resolution: "Deny", remember: "session" }],
  ["a denial with another input", { resolution: "Deny", modified_input: {} }],
  [
    "another input that is to be remembered",
    { resolution: "Approve", modified_input: {}, remember: "this_call" },
  ],
  ["another input that is no JSON", { resolution: "Approve", modified_input: { when: new Date(0) } }],
  ["another input with a cycle", { resolution: "Approve", modified_input: cyclic() }],
  [
    "a getter that throws",
    {
      get resolution(): never {
        throw new Error("trap");
      },
    },
  ],
];

function cyclic(): object {
  const loop: { self?: object } = {};
  loop.self = loop;
  return loop;
}

describe("an answer that is none denies as resolver error", () => {
  it.each(NONSENSE)("when it is %s, from a resolver or a function, at once or later", async (_, nonsense) => {
    for (const as of ["resolver", "function"] as const) {
      for (const later of [false, true]) {
        const { result, inputs } = await outcomeOf(nonsense, as, later);
        expect(result.gate).toEqual(RESOLVER_ERROR);
        expect(result.output).toBe("Permission resolver error for tool 't'");
        expect(inputs).toEqual([]);
      }
    }
  });

  it("when a resolver gives true, which only a function may", async () => {
    expect((await outcomeOf(true, "resolver")).result.gate).toEqual(RESOLVER_ERROR);
    expect((await outcomeOf(true, "function")).result.gate?.verdict).toBe("ask_allowed");
  });

  it("and a function's false is a plain no", async () => {
    expect((await outcomeOf(false, "function")).result.gate).toEqual(
      recordOf("ask_denied", "ask", "ask_resolver", "denied by user"),
    );
  });
});

describe("only a yes lets the tool run", () => {
  const answers: fc.Arbitrary<unknown> = fc.oneof(
    fc.anything(),
    fc.constantFrom(true, false, "Approve", "Deny"),
    fc.record(
      {
        resolution: fc.oneof(fc.constantFrom("Approve", "Deny"), fc.anything()),
        reason: fc.oneof(fc.string(), fc.anything()),
        decided_by: fc.string(),
        remember: fc.oneof(fc.constantFrom("session", "this_call", "this_tool"), fc.anything()),
        remember_until_ms: fc.oneof(fc.nat(), fc.anything()),
        modified_input: fc.oneof(fc.jsonValue(), fc.anything()),
      },
      { requiredKeys: [] },
    ),
  );

  const resolutionOf = (answer: unknown): unknown =>
    typeof answer === "object" && answer !== null && Object.hasOwn(answer, "resolution")
      ? (answer as AskAnswer).resolution
      : answer;

  it.each(["resolver", "function"] as const)("whatever a %s gives", async (as) => {
    await fc.assert(
      fc.asyncProperty(answers, fc.boolean(), async (answer, later) => {
        const { result, inputs } = await outcomeOf(answer, as, later);
        const isYes = resolutionOf(answer) === "Approve" || (as === "function" && answer === true);
        if (!isYes) expect(inputs).toEqual([]);
        const ran = inputs.length > 0;
        expect(["ask_allowed", "allow_modified"].includes(result.gate?.verdict ?? "")).toBe(ran);
        expect(result.isError).toBe(!ran);
        expect(result.trail).toEqual([result.gate]);
      }),
      { numRuns: 150 },
    );
  });

  it("also in answers with fields that are not known here, which are ignored", async () => {
    const { result, inputs } = await outcomeOf({ resolution: "Approve", colour: "green" }, "resolver");
    expect(result.gate?.verdict).toBe("ask_allowed");
    expect(inputs).toEqual([INPUT]);
  });

  it("and an answer is read once: what it says at a second look does not count", async () => {
    let reads = 0;
    const answer = {
      get resolution() {
        return reads++ === 0 ? "Deny" : "Approve";
      },
    };
    const { result, inputs } = await outcomeOf(answer, "resolver");
    expect(result.gate?.verdict).toBe("ask_denied");
    expect(inputs).toEqual([]);
  });
});
