import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { ManualClock } from "@x/permission-core/testing";

export const KEY = {
  up: "\u001b[A",
  down: "\u001b[B",
  enter: "\r",
  escape: "\u001b",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  backspace: "\u007f",
};

class FakeInput extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(mode: boolean): this {
    this.isRaw = mode;
    return this;
  }
}

class FakeOutput extends PassThrough {
  readonly isTTY = true;
  readonly rows = 40;
  constructor(public columns: number) {
    super();
  }
}

/** A terminal that somebody types at, with a clock that stands still. */
export class FakeTerminal {
  readonly input = new FakeInput();
  readonly output: FakeOutput;
  readonly clock = new ManualClock();
  #written = "";

  /** `columns` wide, and 40 rows high. */
  constructor(columns = 100) {
    this.output = new FakeOutput(columns);
    this.output.on("data", (chunk: Buffer) => {
      this.#written += chunk.toString("utf8");
    });
  }

  /** Everything that was written, control sequences included. */
  get raw(): string {
    return this.#written;
  }

  /** Everything that was written, as text. */
  get text(): string {
    return stripVTControlCharacters(this.#written);
  }

  /** Forgets what was written. */
  clear(): void {
    this.#written = "";
  }

  /** Sends keys, each in a piece of its own, and lets them be read. */
  async type(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.input.write(key);
      await this.turn();
    }
  }

  /** Makes the terminal that wide, as somebody does who pulls at the window. */
  async resize(columns: number): Promise<void> {
    this.output.columns = columns;
    this.output.emit("resize");
    await this.turn();
  }

  /** Lets time pass, and whatever follows from it happen. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.turn();
  }

  /** Lets everything that is ready happen: streams, promises, immediates. */
  async turn(): Promise<void> {
    for (let round = 0; round < 4; round += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** What a prompt that was taken down must not leave. */
  get leftovers() {
    return {
      raw: this.input.isRaw,
      // A stream that has ended or failed flows no more, whatever the runtime leaves in this property.
      flowing: this.input.readable && this.input.readableFlowing === true,
      inputListeners: ["data", "keypress", "error"].flatMap((name) => this.input.listeners(name)).length,
      outputListeners: ["resize", "error"].flatMap((name) => this.output.listeners(name)).length,
      timers: this.clock.timerCount,
      exitListeners: process.listenerCount("exit"),
      cursorHidden: this.#written.lastIndexOf("\u001b[?25l") > this.#written.lastIndexOf("\u001b[?25h"),
    };
  }
}
