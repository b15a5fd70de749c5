import { join } from "node:path";
import { createGate } from "@x/middleware";
import { JsonlLedger } from "@x/middleware/ledger";
import { approvals } from "../approvals.js";
import { callsOf } from "../plan.js";
import { quietly } from "../quietly.js";
import { noteChecks, noteTools } from "../tools.js";
import type { RoleContext } from "./role.js";

/** Dispatches the calls of one agent. It counts as up once its first call has ended: then the next may start. */
export async function runWorker({ name, backends, settings, signal, up }: RoleContext): Promise<void> {
  const { askResolver, close } = approvals(backends.asks.resolver, settings);
  const ledger = new JsonlLedger({ file: join(settings.folder, "ledger.jsonl"), ...quietly });
  const gate = createGate({
    tools: noteTools(settings.folder),
    checks: noteChecks,
    rememberTools: ["add_note"],
    grants: backends.grants,
    askResolver,
    observers: [ledger],
    agent: name,
    isNonInteractive: true,
    ...quietly,
  });

  const calls = callsOf(name).map((call) => ({ ...call, signal }));
  await gate.dispatchAll(calls.slice(0, 1));
  up();
  await gate.dispatchAll(calls.slice(1));

  await gate.close();
  await close();
  await ledger.close();
}
