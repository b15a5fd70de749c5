// Writes a ledger as it is told: {"write": n, "bytes": m} writes n lines of m bytes each, {"loop": m} goes on until it is killed.
import { JsonlLedger } from "../../../dist/ledger.js";

const ledger = new JsonlLedger({ ...JSON.parse(process.argv[2]), onReport: () => {} });
let turn = 0;

function append(bytes) {
  const about = { session_id: `p${process.pid}`, run_id: "r", agent: null, call_id: "c", turn: turn++ };
  return ledger.onToolPre({ ...about, tool: "x".repeat(bytes), args_digest: "", ts: 1 });
}

process.on("message", async ({ write, bytes = 10, loop, close }) => {
  for (let count = 0; count < (write ?? 0); count++) append(bytes);
  if (loop !== undefined) {
    for (;;) {
      await append(loop);
      process.send({ written: turn });
    }
  }
  await (close ? ledger.close() : ledger.flush());
  process.send({ file: ledger.file, pid: process.pid, head: await ledger.head() });
});
process.send("ready");
