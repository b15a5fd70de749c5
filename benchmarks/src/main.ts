import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { sectionMarkdown } from "./markdown.js";
import type { BenchmarkSection } from "./section.js";

/**
 * In the order of the page. Each is loaded when its turn comes, and those that load a client of Redis come last: ioredis
 * extends `String`, upon which the engine runs code over strings slower in the whole process.
 */
const benchmarks: readonly (() => Promise<BenchmarkSection>)[] = [
  async () => (await import("./digest.js")).runDigestBenchmark(),
  async () => (await import("./gate.js")).runGateBenchmark(),
  async () => (await import("./ask-channel.js")).runAskChannelBenchmark(),
  async () => (await import("./file-store.js")).runFileStoreBenchmark(),
  async () => (await import("./ledger.js")).runLedgerBenchmark(),
  async () => (await import("./policy.js")).runPolicyBenchmark(),
  async () => (await import("./webhook.js")).runWebhookBenchmark(),
  async () => (await import("./redis-asks.js")).runRedisAskBenchmark(),
  async () => (await import("./grants-redis.js")).runGrantsRedisBenchmark(),
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
