import type { AnsweringScripts } from "./answering-scripts.js";
import type { ChannelSettings } from "./options.js";
import type { Outage } from "./outage.js";

/** Says three times in each `presenceMs` that this approver is there, from its first use until it leaves. */
export class Attendance {
  readonly #settings: ChannelSettings;
  readonly #scripts: AnsweringScripts;
  readonly #outage: Outage;
  readonly #onTick: () => void;
  readonly #name: string;
  #first: Promise<void> | null = null;
  #timer: { cancel(): void } | null = null;
  #hasLeft = false;

  /** `onTick` is called each time that it is said again. */
  constructor(
    settings: ChannelSettings,
    scripts: AnsweringScripts,
    name: string,
    outage: Outage,
    onTick: () => void,
  ) {
    this.#name = name;
    this.#settings = settings;
    this.#scripts = scripts;
    this.#outage = outage;
    this.#onTick = onTick;
  }

  /** Fulfils once it was said for the first time, or could not be. */
  begin(): Promise<void> {
    if (this.#hasLeft) return Promise.resolve();
    this.#first ??= this.say();
    return this.#first;
  }

  async say(): Promise<void> {
    if (this.#hasLeft) return;
    const { presenceMs } = this.#settings.times;
    this.#timer?.cancel();
    this.#timer = this.#settings.clock.setTimer(
      () => {
        void this.say();
        this.#onTick();
      },
      Math.ceil(presenceMs / 3),
    );
    try {
      await this.#scripts.attend(this.#name, presenceMs);
      this.#outage.worked();
    } catch (error) {
      this.#outage.failed(error);
    }
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#first === null) return;
    try {
      await this.#scripts.attend(this.#name, 0);
    } catch {
      // It will be taken to have left when its time is up.
    }
  }
}
