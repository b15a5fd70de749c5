import { type AskAnswer, type AskResolver, PermissionCheck, PermissionGateError } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type ToolMiddleware } from "../../src/index.js";
import { gateRig, INPUT, INPUT_DIGEST, recordOf, turn } from "../support/gate-rig.js";

const PROMPT = "write to /tmp/x?";

function asking(resolver?: AskResolver): PermissionMiddleware {
  const gate = PermissionMiddleware.fromContext().withNamedCheck("own", () =>
    PermissionCheck.ask(PROMPT, { details: "the whole command line" }),
  );
  return resolver === undefined ? gate : gate.withAskResolver(resolver);
}

describe("an ask that is answered", () => {
  it.each<[string, "Approve" | AskAnswer]>([
    ["the bare word", "Approve"],
    ["an answer", { resolution: "Approve", decided_by: "ann", reason: "looks fine" }],
  ])("runs the tool on a yes by %s", async (_, answer) => {
    const { invoke, inputs, reports } = gateRig(asking(scriptedResolver([answer])));
    const result = await invoke();
    expect(result).toMatchObject({ output: "ran", isError: false, errorKind: null });
    expect(result.gate).toEqual(recordOf("ask_allowed", "ask", "ask_resolver"));
    expect(result.trail).toEqual([result.gate]);
    expect(inputs).toEqual([INPUT]);
    expect(reports).toEqual([]);
  });

  it.each<[string, "Deny" | AskAnswer, string]>([
    ["the bare word", "Deny", "denied by user"],
    ["an answer without a reason", { resolution: "Deny" }, "denied by user"],
    ["an answer with an empty reason", { resolution: "Deny", reason: "" }, "denied by user"],
    ["an answer with a reason", { resolution: "Deny", reason: "not today" }, "denied by user: not today"],
  ])("refuses on a no by %s", async (_, answer, reason) => {
    const { invoke, inputs, reports } = gateRig(asking(scriptedResolver([answer])));
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("ask_denied", "ask", "ask_resolver", reason));
    expect(result).toMatchObject({
      output: `Permission ${reason} for tool 't'`,
      isError: true,
      errorKind: "permission",
      durationMs: 0,
    });
    expect(inputs).toEqual([]);
    expect(reports.map(({ level }) => level)).toEqual(["warn"]);
  });

  it("runs an approver's input instead and records it as modified", async () => {
    const { invoke, inputs } = gateRig(
      asking(scriptedResolver([{ resolution: "Approve", modified_input: { path: "/safe" } }])),
    );
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("allow_modified", "ask", "ask_resolver"));
    expect(inputs).toEqual([{ path: "/safe" }]);
  });
});

describe("an ask that finds no answer", () => {
  it("is denied as unavailable where the resolver can put it to nobody", async () => {
    const { invoke, inputs, errors } = gateRig(asking(scriptedResolver([])));
    const result = await invoke();
    expect(result.gate).toEqual(
      recordOf("ask_denied", "ask", "ask_resolver", "approval channel unavailable"),
    );
    expect(result.output).toBe("Permission denied: approval channel unavailable for tool 't'");
    expect(inputs).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it.each(["ask_unavailable", "already_waiting"] as const)(
    "knows a question that was put to nobody by the error's code, also when it is thrown at once: %s",
    async (code) => {
      const resolver: AskResolver = {
        interactive: false,
        resolve() {
          throw new PermissionGateError(code, "not put");
        },
      };
      const { invoke, errors } = gateRig(asking(resolver));
      expect((await invoke()).gate?.reason).toBe("approval channel unavailable");
      expect(errors()).toEqual([]);
    },
  );

  it.each<[string, AskResolver["resolve"]]>([
    [
      "throws",
      () => {
        throw new Error("secret stack");
      },
    ],
    ["rejects", () => Promise.reject(new Error("secret stack"))],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["rejects with another code", () => Promise.reject(new PermissionGateError("storage", "secret stack"))],
    ["throws a look-alike without the brand", () => Promise.reject({ code: "ask_unavailable" })],
  ])("is denied as resolver error when the resolver %s, and the cause is reported", async (_, resolve) => {
    const { invoke, inputs, errors } = gateRig(asking({ interactive: false, resolve }));
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("ask_denied", "ask", "ask_resolver", "resolver error"));
    expect(result.output).toBe("Permission resolver error for tool 't'");
    expect(inputs).toEqual([]);
    expect(errors()).toHaveLength(1);
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it("expires at its deadline, under the gate's own id and the engine's name", async () => {
    const resolver = scriptedResolver(["never"]);
    const { invoke, inputs, clock } = gateRig(asking(resolver).withAskTimeout(5_000));
    const running = invoke();
    await turn();
    clock.advance(5_000);
    const result = await running;
    expect(result.gate).toEqual(recordOf("ask_expired", "own", "engine", "ask expired unanswered"));
    expect(result.output).toBe("Permission ask expired unanswered for tool 't'");
    expect(inputs).toEqual([]);
  });

  it("is cancelled under the gate's own id and source", async () => {
    const cancel = new AbortController();
    const { invoke, inputs } = gateRig(asking(scriptedResolver(["never"])));
    const running = invoke({ signal: cancel.signal });
    await turn();
    cancel.abort();
    const result = await running;
    expect(result.gate).toEqual(
      recordOf("cancelled", "own", "middleware", "cancelled while awaiting approval"),
    );
    expect(result.output).toBe("Permission cancelled while awaiting approval for tool 't'");
    expect(inputs).toEqual([]);
  });
});

describe("what an approver is shown", () => {
  it("is the call by ids and digest, the words, and never the arguments", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const { invoke, clock } = gateRig(asking(resolver).withAskTimeout(5_000));
    await invoke({
      turn: 3,
      callId: "call-7",
      toolContext: { sessionId: "session-1", runId: "run-1", agent: "main" },
    });
    expect(resolver.asks).toEqual([
      {
        id: "00000000-0000-4000-8000-000000000001",
        session_id: "session-1",
        run_id: "run-1",
        turn: 3,
        call_id: "call-7",
        tool: "t",
        args_digest: INPUT_DIGEST,
        prompt: PROMPT,
        details: "the whole command line",
        expires_at_ms: clock.now() + 5_000,
        descriptor_digest: expect.stringMatching(/^[0-9a-f]{16}$/),
        agent: "main",
      },
    ]);
  });

  it("leaves out what does not apply, and names nil ids on a bare pipeline", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => PermissionCheck.ask("run?"))
      .withAskResolver(resolver);
    await gateRig(gate).invoke();
    const nil = "00000000-0000-0000-0000-000000000000";
    expect(resolver.asks[0]).toMatchObject({ session_id: nil, run_id: nil, turn: 0 });
    expect(Object.keys(resolver.asks[0] ?? {})).toEqual([
      "id",
      "session_id",
      "run_id",
      "turn",
      "call_id",
      "tool",
      "args_digest",
      "prompt",
      "descriptor_digest",
    ]);
  });

  it("digests the input as it stands where the ask is raised", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const rewrite = PermissionMiddleware.fromContext().withCheck(() =>
      PermissionCheck.modify({ path: "/safe" }),
    );
    const result = await gateRig([rewrite, asking(resolver)]).invoke();
    expect(resolver.asks[0]?.args_digest).not.toBe(INPUT_DIGEST);
    expect(result.trail.map((record) => record.args_digest)).toEqual([INPUT_DIGEST, INPUT_DIGEST]);
  });

  it("keeps details out of every record, also where nobody can be asked", async () => {
    const result = await gateRig(asking()).invoke();
    expect(JSON.stringify(result)).not.toContain("whole command line");
  });

  it("has a fresh id for each ask of one call", async () => {
    const resolver = scriptedResolver(["Approve", "Approve"]);
    const result = await gateRig([asking(resolver), asking(resolver)]).invoke();
    expect(new Set(resolver.asks.map(({ id }) => id)).size).toBe(2);
    expect(result.trail.map(({ verdict }) => verdict)).toEqual(["ask_allowed", "ask_allowed"]);
  });
});

describe("a resolver is told once how the call ended", () => {
  const failing: ToolMiddleware = {
    name: "failing",
    dispatch: () => Promise.reject(new Error("broken layer")),
  };

  it.each<[string, "Approve" | "Deny", readonly ToolMiddleware[], string]>([
    ["completed", "Approve", [], "completed"],
    ["denied", "Deny", [], "denied"],
    ["failed", "Approve", [failing], "failed"],
    ["denied by a later gate", "Approve", [PermissionMiddleware.denyAll()], "denied"],
  ])("when it %s", async (_, answer, inside, outcome) => {
    const resolver = scriptedResolver([answer]);
    await gateRig([asking(resolver), ...inside]).invoke();
    expect(resolver.outcomes.map((told) => told.outcome)).toEqual([outcome]);
    expect(resolver.outcomes[0]?.ask.id).toBe(resolver.asks[0]?.id);
  });

  it("under the id of the ask that was answered, where it differs from the one put", async () => {
    const resolver = scriptedResolver([{ resolution: "Approve", ask_id: "stored-ask" }]);
    await gateRig(asking(resolver)).invoke();
    expect(resolver.outcomes[0]?.ask.id).toBe("stored-ask");
  });

  it("and what it throws at that is reported, the result standing", async () => {
    const resolver: AskResolver = {
      interactive: false,
      resolve: () => "Approve",
      settled() {
        throw new Error("no");
      },
    };
    const { invoke, errors } = gateRig(asking(resolver));
    expect((await invoke()).output).toBe("ran");
    await turn();
    expect(errors().map(({ message }) => message)).toEqual([
      "An ask resolver failed when it was told how a call ended.",
    ]);
  });
});
