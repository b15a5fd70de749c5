import { displaySafe, type OnReport } from "@x/permission-core";

/** How many faults are remembered, so as to report each once. */
const REMEMBERED = 1_000;

/** Tells what is wrong with single asks, once each. */
export class FaultReports {
  readonly #report: OnReport;
  readonly #reported = new Set<string>();

  constructor(report: OnReport) {
    this.#report = report;
  }

  /** `key`: for what it is told once; the id where left out. */
  tell(id: string, what: string, cause: unknown, key: string = id): void {
    const fault = `${what} ${key}`;
    if (this.#reported.has(fault)) return;
    if (this.#reported.size >= REMEMBERED) this.#reported.clear();
    this.#reported.add(fault);
    this.#report({ level: "warn", message: `ask ${displaySafe(id).text}: ${what}`, cause });
  }
}
