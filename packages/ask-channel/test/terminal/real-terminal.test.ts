import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { KEY } from "../support/fake-terminal.js";

const PROGRAM = fileURLToPath(new URL("../fixtures/ask-at-terminal.mjs", import.meta.url));

/** The program in a pseudo terminal, which `script` of util-linux makes. Waits on what it shows, not on time. */
class Session {
  readonly child: ChildProcess;
  #raw = "";
  #wake = () => {};

  constructor(argument = "", size = "stty cols 80 rows 24") {
    const command = `${size}; ${process.execPath} ${PROGRAM} ${argument}`;
    this.child = spawn("script", ["-qec", command, "/dev/null"], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, TERM: "xterm-256color" },
    });
    this.child.stdout?.on("data", (chunk: Buffer) => {
      this.#raw += chunk.toString("utf8");
      this.#wake();
    });
  }

  get raw(): string {
    return this.#raw;
  }

  get text(): string {
    return stripVTControlCharacters(this.#raw);
  }

  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  shows(pattern: RegExp): Promise<RegExpMatchArray> {
    return this.#find(pattern, () => this.text);
  }

  /** Waits until the prompt has been on screen for its grace time, and what was typed before was read. */
  async takesKeys(): Promise<void> {
    await this.#find(/;takes keys/, () => this.raw);
  }

  async #find(pattern: RegExp, where: () => string): Promise<RegExpMatchArray> {
    for (;;) {
      const found = where().match(pattern);
      if (found !== null) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** What came of the ask, once it is clear that the terminal was left as it was found. */
  async outcome(): Promise<unknown> {
    const [, json = ""] = await this.shows(/RESULT (.*) END/);
    const { outcome, before, after } = JSON.parse(json) as {
      outcome: unknown;
      before: unknown;
      after: unknown;
    };
    expect(after).toEqual(before);
    expect(this.raw.lastIndexOf("\u001b[?25h")).toBeGreaterThan(this.raw.lastIndexOf("\u001b[?25l"));
    return outcome;
  }
}

let session: Session | undefined;

afterEach(() => void session?.child.kill());

describe("in a real terminal", () => {
  it("[CASE-203] drops keys typed ahead, approves on a deliberate move and Enter, and leaves the terminal clean", async () => {
    session = new Session();
    session.type(`${KEY.down}${KEY.enter}`);
    await session.shows(/● Deny/);
    session.type(`${KEY.down}${KEY.enter}y`);
    await session.takesKeys();
    expect(session.text).not.toContain("RESULT");
    session.type(KEY.down);
    await session.shows(/● Allow once/);
    session.type(KEY.enter);
    expect(await session.outcome()).toEqual({ resolution: "Approve", decided_by: "ana" });
    expect(session.text).toContain("target \\u{001b}[2K\\u{202e}/prod");
  });

  it("[CASE-203] denies on Ctrl-C at once", async () => {
    session = new Session();
    await session.shows(/● Deny/);
    session.type(KEY.ctrlC);
    expect(await session.outcome()).toEqual({ resolution: "Deny", decided_by: "ana" });
  });

  it.each([80, 40])("shows no row that the prompt made up, on %i columns", async (columns) => {
    const forged = `x${" ".repeat(columns - 16)}Tool     read_file      Asks     Read README.md?`;
    session = new Session(`"" "${forged}"`, `stty cols ${columns} rows 24`);
    await session.shows(/● Deny/);
    const labels = session.text
      .split(/\r?\n/)
      .flatMap((row) => /^\S? *(Tool|Asks|Digest) /u.exec(row)?.[1] ?? []);
    expect(labels).toEqual(["Tool", "Asks", "Digest", "Tool", "Asks"]);
    expect(session.text).toContain("··");
    session.type(KEY.ctrlC);
    expect(await session.outcome()).toEqual({ resolution: "Deny", decided_by: "ana" });
  });

  it("takes the prompt down when the wait ends otherwise", async () => {
    session = new Session("100");
    expect(await session.outcome()).toEqual({ rejected: "expired" });
    expect(session.text).toContain("The call was cancelled.");
  });
});
