import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to a server on loopback that can be cut and blocked on command. */
export class TcpProxy implements AsyncDisposable {
  readonly host = "127.0.0.1";
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #target: { host: string; port: number };
  #isRefusing = false;
  #isHoldingReplies = false;

  private constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  static async start(target: { host: string; port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject);
      proxy.#server.listen(0, proxy.host, resolve);
    });
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#open.size / 2;
  }

  /** From now on commands reach the server and its replies are dropped, until `cut()` or `restore()`. */
  dropReplies(): void {
    this.#isHoldingReplies = true;
  }

  /** Ends every connection. New ones are made as before, and replies pass. */
  cut(): void {
    this.#isHoldingReplies = false;
    for (const socket of this.#open) socket.destroy();
  }

  /** Ends every connection, and every new one at once. */
  partition(): void {
    this.#isRefusing = true;
    this.cut();
  }

  /** Ends `partition()` and `dropReplies()`. */
  restore(): void {
    this.#isRefusing = false;
    this.#isHoldingReplies = false;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.partition();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #join(client: Socket): void {
    if (this.#isRefusing) {
      client.destroy();
      return;
    }
    const upstream = connect(this.#target);
    const ends = [client, upstream];
    for (const socket of ends) {
      this.#open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.once("close", () => {
        this.#open.delete(socket);
        for (const other of ends) other.destroy();
      });
    }
    client.on("data", (data) => upstream.write(data));
    upstream.on("data", (data) => {
      if (!this.#isHoldingReplies) client.write(data);
    });
  }
}
