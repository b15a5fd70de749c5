import { Redis } from "ioredis";
import { redisBackends } from "./backends.js";
import { CLIENT_OPTIONS } from "./redis-for-run.js";
import { playRole } from "./roles/role.js";
import type { Settings } from "./settings.js";
import { SETTINGS_VARIABLE } from "./team/process-member.js";

/** One role in a process of its own: `node role.js worker-1`. It ends when it is done, or whoever started it is gone. */
const settings = JSON.parse(process.env[SETTINGS_VARIABLE] ?? "") as Settings;
const [name = ""] = process.argv.slice(2);

const stop = new AbortController();
process.once("disconnect", () => stop.abort());
// It may have happened while this was being loaded.
if (!process.connected) stop.abort();
// A terminal sends Ctrl-C to every process; which ends when is for the one that started them to say.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

const redis = new Redis(settings.redisUrl ?? "", CLIENT_OPTIONS);
// Whatever fails for want of Redis says so itself.
redis.on("error", () => {});
const backends = redisBackends(redis, settings.prefix);

await playRole({
  name,
  backends,
  settings,
  signal: stop.signal,
  up(url = "") {
    if (process.connected) process.send?.(url);
  },
});

await backends.asks.resolver.close();
await backends.asks.approver.close();
redis.disconnect();
// Nothing is left that holds the process.
if (process.connected) process.disconnect();
