import type { OnReport } from "@x/permission-core";

/** Reports the first failure of a run of failures, and no other until something has worked again. */
export class Outage {
  readonly #report: OnReport;
  readonly #message: string;
  #isOut = false;

  constructor(report: OnReport, message: string) {
    this.#report = report;
    this.#message = message;
  }

  failed(cause: unknown): void {
    if (this.#isOut) return;
    this.#isOut = true;
    this.#report({ level: "warn", message: this.#message, cause });
  }

  worked(): void {
    this.#isOut = false;
  }
}
