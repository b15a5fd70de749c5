import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { runAskChannelBenchmark } from "./ask-channel.js";
import { runDigestBenchmark } from "./digest.js";
import { runFileStoreBenchmark } from "./file-store.js";
import { runGateBenchmark } from "./gate.js";
import { runGrantsRedisBenchmark } from "./grants-redis.js";
import { runLedgerBenchmark } from "./ledger.js";
import { sectionMarkdown } from "./markdown.js";
import { runPolicyBenchmark } from "./policy.js";
import { runRedisAskBenchmark } from "./redis-asks.js";
import type { BenchmarkSection } from "./section.js";
import { runWebhookBenchmark } from "./webhook.js";

/** In the order of the page. */
const benchmarks: readonly (() => Promise<BenchmarkSection>)[] = [
  runDigestBenchmark,
  runGateBenchmark,
  runAskChannelBenchmark,
  runWebhookBenchmark,
  runRedisAskBenchmark,
  runFileStoreBenchmark,
  runGrantsRedisBenchmark,
  runLedgerBenchmark,
  // Last: it changes a setting of the engine.
  runPolicyBenchmark,
];

const introduction = `# Benchmarks

Peers are measured side by side in one process: what carries over to another machine are the ratios, not the times.
This page is written by

\`\`\`sh
npx -y pnpm@12.21.0 bench
\`\`\`

Machine: Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} CPUs.`;

const parts = [introduction];
for (const benchmark of benchmarks) {
  const markdown = sectionMarkdown(await benchmark());
  console.log(`${markdown}\n`);
  parts.push(markdown);
}
await writeFile(new URL("../README.md", import.meta.url), `${parts.join("\n\n")}\n`);
