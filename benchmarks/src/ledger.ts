import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonlLedger } from "@x/middleware/ledger";
import type { GateEvent } from "@x/permission-core";
import { measureAsync, showTime } from "./measure.js";
import type { BenchmarkSection } from "./section.js";

/** Lines that come while one write is under way, and make up the next. */
const BATCH = 500;
const PLAIN_GOAL = 2;
const CHAIN_GOAL = 3;

/** What the ledger adds to the writing down of decisions. */
export async function runLedgerBenchmark(): Promise<BenchmarkSection> {
  const folder = await mkdtemp(join(tmpdir(), "ledger-benchmark-"));
  const plain = new JsonlLedger({ file: join(folder, "plain.jsonl") });
  const chained = new JsonlLedger({ file: join(folder, "chained.jsonl"), chain: true });
  const bare = join(folder, "bare.jsonl");
  const chainOfBare = join(folder, "chain-of-bare.jsonl");
  // As long as a seal.
  const seal = { seq: 123_456, hash: "0".repeat(64) };
  const events = freshEvents();
  const ready = join(folder, "ready.jsonl");
  const readyLines = Array.from({ length: BATCH }, () =>
    JSON.stringify({ v: 1, type: "gate.decision", ...events() }),
  );
  try {
    const times = await measureAsync({
      ready: () => appendFile(ready, `${readyLines.join("\n")}\n`).then(() => BATCH),
      bare: () => appendBare(bare, () => ({ v: 1, type: "gate.decision", ...events() })),
      bareSealed: () =>
        appendBare(chainOfBare, () => ({ v: 1, type: "gate.decision", ...events(), ...seal })),
      plain: () => appendToLedger(plain, events),
      chained: () => appendToLedger(chained, events),
    });
    const perLine = (name: keyof typeof times) => times[name] / BATCH;
    const plainRatio = times.plain / times.bare;
    const chainRatio = times.chained / times.bareSealed;
    return {
      title: "What the ledger adds to an append",
      notes: [
        `Median time per line of a decision, ${BATCH} lines in one go, until they are written. The bare append makes the same bytes with \`JSON.stringify\`, keeps them in a list and appends them to a file at once; beside the chain it writes lines as long as a sealed one.`,
        "The chain takes one SHA-256 for each line, which cannot be shared between lines. Nothing is synced to the disk.",
      ],
      table: {
        columns: ["", "time per line", "of the bare append"],
        rows: [
          ["append of text made before, for comparison", showTime(perLine("ready")), ""],
          ["bare buffered append", showTime(perLine("bare")), ""],
          ["ledger", showTime(perLine("plain")), `${plainRatio.toFixed(1)} ×`],
          ["bare buffered append, as long as a sealed line", showTime(perLine("bareSealed")), ""],
          ["ledger with a chain", showTime(perLine("chained")), `${chainRatio.toFixed(1)} ×`],
        ],
      },
      goals: [
        {
          text: `the ledger takes at most ${PLAIN_GOAL} times as long as the bare append of the same bytes`,
          met: plainRatio <= PLAIN_GOAL,
        },
        {
          text: `with a chain it takes at most ${CHAIN_GOAL} times as long`,
          met: chainRatio <= CHAIN_GOAL,
        },
      ],
    };
  } finally {
    await plain.close();
    await chained.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function appendBare(file: string, line: () => object): Promise<number> {
  const lines: string[] = [];
  for (let count = 0; count < BATCH; count++) lines.push(JSON.stringify(line()));
  await appendFile(file, `${lines.join("\n")}\n`);
  return lines.length;
}

async function appendToLedger(ledger: JsonlLedger, events: () => GateEvent): Promise<number> {
  for (let count = 0; count < BATCH; count++) ledger.onGateDecision(events());
  await ledger.flush();
  return BATCH;
}

/** Gives a new event each time, of another call than the one before. */
function freshEvents(): () => GateEvent {
  let count = 0;
  return () => {
    const decision = {
      tool: "shell",
      args_digest: "f1ed61cd8ca5e26b",
      verdict: "ask_allowed",
      rule_id: "shared-project:shell(npm run *)",
      rule_source: "ask_resolver",
      matched_pattern: "npm run *",
      reason: null,
      ts: 1_700_000_000_000 + count,
    } as const;
    return {
      session_id: "7a0b6f0e-0f0c-4a53-9f5e-1d1c7c2f9b11",
      run_id: "0d9c2f54-0f5a-4b0a-8b3e-a3a6d0b0c9d2",
      turn: count++,
      call_id: "call_0123456789",
      agent: null,
      decision,
      trail: [decision],
      effective_args_digest: "f1ed61cd8ca5e26b",
      ask_id: "5b7b1b1e-7a53-4a37-8a40-0f2f8a1b7c33",
      decided_by: "ann",
    };
  };
}
