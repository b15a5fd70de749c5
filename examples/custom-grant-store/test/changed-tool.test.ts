import { createGate } from "@x/middleware";
import { type AskAnswer, type JsonValue, type PendingAsk, PermissionCheck } from "@x/permission-core";
import { expect, it, onTestFinished } from "vitest";
import { SqliteGrantStore } from "../src/sqlite-grant-store.js";
import { temporaryFile } from "./support/temporary-file.js";

const LISTED = { type: "object", properties: { to: { type: "string" }, text: { type: "string" } } };
const WITH_BCC = { ...LISTED, properties: { ...LISTED.properties, bcc: { type: "string" } } };
const REORDERED = { properties: { text: { type: "string" }, to: { type: "string" } }, type: "object" };

/** Calls the tool as a server lists it, and gives its verdict and what was asked. */
async function send(grants: SqliteGrantStore, inputSchema: JsonValue, answer: AskAnswer) {
  const asks: PendingAsk[] = [];
  await using gate = createGate({
    tools: [
      { name: "mcp__s__send", description: "Sends a message", inputSchema, call: () => "sent" } as const,
    ],
    checks: { mcp__s__send: PermissionCheck.ask("Send?") },
    grants,
    askResolver(_prompt, _tool, { ask }) {
      asks.push(ask);
      return answer;
    },
    onReport: () => {},
  });
  const { gate: record } = await gate.dispatch({
    toolName: "mcp__s__send",
    callId: "1",
    input: { to: "ana", text: "hello" },
  });
  return { verdict: record?.verdict, asks };
}

it("[CASE-206] asks again when the tool is no longer the one approved, or when the pins cannot be read", async () => {
  const { file, remove } = temporaryFile();
  onTestFinished(remove);
  const grants = new SqliteGrantStore(file);
  const approved = await send(grants, LISTED, { resolution: "Approve", remember: "this_call" });
  expect(approved.verdict).toBe("ask_allowed");

  const changed = await send(grants, WITH_BCC, { resolution: "Deny" });
  expect(changed.verdict).toBe("ask_denied");
  expect(changed.asks).toMatchObject([{ descriptor_changed: true }]);

  expect(await send(grants, REORDERED, { resolution: "Deny" })).toEqual({ verdict: "allow", asks: [] });

  grants.close();
  const unreadable = await send(grants, LISTED, { resolution: "Deny" });
  expect(unreadable.verdict).toBe("ask_denied");
  expect(unreadable.asks).toHaveLength(1);
});
