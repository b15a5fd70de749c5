import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPermissionGateError } from "@x/permission-core";
import { HELP, parseArguments } from "./arguments.js";
import { type Deployment, inProcesses, inThisProcess } from "./deployment.js";
import { NoRedis } from "./redis-for-run.js";
import { printCalls, printHeader, printTraces } from "./report/print.js";
import { isAtTerminal } from "./roles/desk.js";
import { AT_TERMINAL, BY_SCRIPT, type Settings } from "./settings.js";
import { stopSignal } from "./stop-signal.js";
import { runTeam } from "./team/run-team.js";

/** The exit code of a run that was ended by Ctrl-C or the like. */
const STOPPED = 130;

const options = parseArguments(process.argv.slice(2));
if ("problem" in options) {
  console.error(`multi-process: ${options.problem}; --help tells the options.`);
  process.exitCode = 2;
} else if (options.isHelp) process.stdout.write(HELP);
else process.exitCode = await run(options);

/** Gives the exit code. */
async function run({ isLocal }: { isLocal: boolean }): Promise<number> {
  const signal = stopSignal();
  const folder = await mkdtemp(join(tmpdir(), "multi-process-"));
  try {
    await using deployment = isLocal ? inThisProcess(folder) : await inProcesses();
    const settings = settingsOf(deployment, folder);
    printHeader(deployment, settings);
    const team = await runTeam(deployment.start, settings, signal);
    await printCalls(settings);
    if (signal.aborted) return STOPPED;
    return (await printTraces(deployment, team)) ? 0 : 1;
  } catch (error) {
    // At Ctrl-C a terminal ends the run's own Redis, too.
    if (signal.aborted) return STOPPED;
    const isLost = isPermissionGateError(error, "storage");
    if (!isLost && !(error instanceof NoRedis)) throw error;
    console.error(`multi-process: ${error.message}`);
    return isLost ? 1 : 2;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function settingsOf({ prefix, redisUrl }: Deployment, folder: string): Settings {
  const times = isAtTerminal() ? AT_TERMINAL : BY_SCRIPT;
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  return { folder, prefix, redisUrl, secret, phoneUrl: "", callbackUrl: "", ...times };
}
