import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcessesOf } from "./end-processes-of.js";
import { NOBODY, PRIVILEGED, ShellDriver } from "./shell-driver.js";

/** What runs a text: bash, dash, or bash as it behaves where it is `/bin/sh`. */
export type RealShell = "bash" | "dash" | "posix-bash";

const ARGUMENTS: { readonly [shell in RealShell]: readonly string[] } = {
  bash: ["bash", "-c"],
  dash: ["dash", "-c"],
  "posix-bash": ["bash", "--posix", "-c"],
};

/** What left its process group and still runs after this is ended, too, as often as it takes. */
const LAST_RESORT_MS = 4000;

/**
 * Runs commands for real, each unprivileged (where the tests run as root), in an empty folder of its own, with nothing in its
 * environment but `PATH` and `HOME`, and tells whether the program `canary` ran, by the mark it leaves. `close` ends whatever
 * is left and removes every folder.
 */
export class Sandbox {
  private readonly root = mkdtempSync(join(tmpdir(), "policy-sandbox-"));
  private readonly idle: ShellDriver[] = [];
  private readonly drivers: ShellDriver[] = [];
  private runs = 0;

  constructor() {
    chmodSync(this.root, 0o711);
  }

  /** Whether `canary` ran. Waits for what the command leaves in the background, too. The text holds no NUL. */
  async runsCanary(shell: RealShell, text: string): Promise<boolean> {
    this.runs += 1;
    const folder = join(this.root, String(this.runs));
    const mark = join(folder, "marks", "canary");
    furnish(folder, mark);
    const driver = this.idle.pop() ?? this.createDriver();
    const lastResort = setInterval(() => endProcessesOf(folder), LAST_RESORT_MS);
    await driver.run(folder, [...ARGUMENTS[shell], text]);
    clearInterval(lastResort);
    this.idle.push(driver);
    const ran = existsSync(mark);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    return ran;
  }

  close(): void {
    for (const driver of this.drivers) driver.close();
    endProcessesOf(this.root);
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10 });
  }

  private createDriver(): ShellDriver {
    const driver = new ShellDriver();
    this.drivers.push(driver);
    return driver;
  }
}

function furnish(folder: string, mark: string): void {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const canary = join(folder, "bin", "canary");
  writeFileSync(canary, `#!/bin/sh\n: >${mark}\n`);
  chmodSync(canary, 0o755);
  for (const name of ["home", "marks"]) {
    mkdirSync(join(folder, name));
    if (PRIVILEGED) chownSync(join(folder, name), NOBODY, NOBODY);
  }
}
