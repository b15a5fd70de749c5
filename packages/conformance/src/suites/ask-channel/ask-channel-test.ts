import type { ChannelBench } from "./channel-bench.js";

/** Tests by title, each on a fresh channel. */
export type AskChannelTests = Readonly<Record<string, (bench: ChannelBench) => Promise<void>>>;
