// Writes lines of random lengths, notes down each that was acknowledged, and is killed by itself at a random moment, or not: as
// its last argument says, from 0 (at once) to 1 (not).
import { appendFileSync } from "node:fs";
import { JsonlLedger } from "../../../dist/ledger.js";

const [file, acknowledged, fate] = process.argv.slice(2);
const kill = () => process.kill(process.pid, "SIGKILL");
if (fate < 0.2) setImmediate(kill);
else if (fate < 0.8) setTimeout(kill, Math.random() * 30);

const ledger = new JsonlLedger({
  file,
  chain: true,
  maxBytes: 20_000,
  includeInput: true,
  onReport: () => {},
});
const about = { session_id: `${process.pid} ${Date.now()}`, run_id: "r", agent: null, call_id: "c" };
for (let turn = 0; turn < 15; turn++) {
  const input = "x".repeat(Math.random() * 3_000);
  await ledger.onToolPre({ ...about, turn, tool: "t", args_digest: "", ts: 1 }, { input });
  appendFileSync(acknowledged, `${about.session_id} ${turn}\n`);
}
await ledger.close();
