import type { AskResolver, PendingAsk } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { autoApproveInIsolation, type IsolationOptions } from "../../src/index.js";

const pending = (fields: Partial<PendingAsk> = {}): PendingAsk => ({
  id: "ask-1",
  session_id: "s",
  run_id: "r",
  turn: 0,
  call_id: "c",
  tool: "Bash",
  args_digest: "0123456789abcdef",
  prompt: "?",
  ...fields,
});
const context = (isNonInteractive = false) => ({ signal: new AbortController().signal, isNonInteractive });
const resolve = async (options: IsolationOptions, fields: Partial<PendingAsk>, unattended = false) =>
  autoApproveInIsolation(options).resolve(pending(fields), context(unattended));

const unavailable = expect.objectContaining({ code: "ask_unavailable" });

describe("autoApproveInIsolation", () => {
  it("approves what only the substitution floor holds back from an operator's allow", async () => {
    expect(await resolve({}, { floored_configured_allow: true })).toEqual({
      resolution: "Approve",
      decided_by: "isolation",
    });
  });

  it.each([{}, { floored_configured_allow: false }])(
    "approves nothing else by itself: %j",
    async (fields) => {
      await expect(resolve({}, fields)).rejects.toEqual(unavailable);
    },
  );

  it("approves whatever no operator demands where it is told to", async () => {
    expect(await resolve({ approve: "undemanded" }, {})).toMatchObject({ resolution: "Approve" });
  });

  it.each(["floored", "undemanded"] as const)(
    "never approves what an operator's rule demands, nor a tool that changed (%s)",
    async (approve) => {
      for (const fields of [{ configured_ask: true }, { descriptor_changed: true }])
        await expect(resolve({ approve }, { ...fields, floored_configured_allow: true })).rejects.toEqual(
          unavailable,
        );
    },
  );

  it("puts what it may not approve to its delegate", async () => {
    const delegate = scriptedResolver(["Deny"]);
    expect(await resolve({ delegate }, { configured_ask: true })).toBe("Deny");
    expect(delegate.asks).toHaveLength(1);
    await resolve({ delegate }, { floored_configured_allow: true });
    expect(delegate.asks).toHaveLength(1);
  });

  it("is asked in unattended runs, where it spares a delegate that needs somebody", async () => {
    expect(autoApproveInIsolation().interactive).toBe(false);
    const person: AskResolver = { resolve: () => "Approve" };
    const machine: AskResolver = { interactive: false, resolve: () => "Deny" };
    await expect(resolve({ delegate: person }, {}, true)).rejects.toEqual(unavailable);
    expect(await resolve({ delegate: person }, {}, false)).toBe("Approve");
    expect(await resolve({ delegate: machine }, {}, true)).toBe("Deny");
  });

  it("tells its delegate how a call ended that it was asked about, and only that", async () => {
    const told: string[] = [];
    const delegate: AskResolver = {
      resolve: () => "Deny",
      settled: (ask, outcome) => {
        told.push(`${ask.id} ${outcome}`);
      },
    };
    const resolver = autoApproveInIsolation({ delegate });
    await resolver.settled?.(pending({ id: "floored", floored_configured_allow: true }), "completed");
    await resolver.settled?.(pending({ id: "demanded", configured_ask: true }), "denied");
    expect(told).toEqual(["demanded denied"]);
  });
});
