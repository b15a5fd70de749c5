import { connect } from "node:net";
import { RedisProcess } from "./redis-process.js";

/** Every slot of a Cluster, a third to each node. */
const SLOTS = [
  [0, 5460],
  [5461, 10_922],
  [10_923, 16_383],
] as const;

/** A real Cluster of three masters on loopback. */
export class RedisCluster implements AsyncDisposable {
  readonly nodes: readonly RedisProcess[];

  private constructor(nodes: readonly RedisProcess[]) {
    this.nodes = nodes;
  }

  /** Resolves once every node takes the whole Cluster to be well. */
  static async start(): Promise<RedisCluster> {
    const args = ["--cluster-enabled", "yes", "--cluster-node-timeout", "15000"];
    const nodes = await Promise.all(SLOTS.map(() => RedisProcess.start(args)));
    const [first] = nodes;
    if (first === undefined) throw new Error("A Cluster has nodes.");
    for (const [index, node] of nodes.entries()) {
      const [from, to] = SLOTS[index] ?? [0, 0];
      await command(node, `CLUSTER ADDSLOTSRANGE ${from} ${to}`);
      await command(node, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`);
    }
    for (const node of nodes) await command(first, `CLUSTER MEET ${node.host} ${node.port}`);
    for (const node of nodes) {
      while (!(await isWell(node))) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return new RedisCluster(nodes);
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** What is published at a node reaches another one only over the link between them, and is lost where there is none yet. */
async function isWell(node: RedisProcess): Promise<boolean> {
  const links = (await command(node, "CLUSTER NODES")).match(/ connected [\d-]/g) ?? [];
  return links.length === SLOTS.length && /cluster_state:ok/.test(await command(node, "CLUSTER INFO"));
}

/** The reply to one inline command, as text. */
function command({ host, port }: RedisProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => socket.write(`${text}\r\n`));
    socket.once("data", (data) => {
      socket.destroy();
      if (data[0] === 0x2d) reject(new Error(`${text}: ${data}`));
      else resolve(String(data));
    });
    socket.once("error", reject);
  });
}
