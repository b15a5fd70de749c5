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
    const args = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"];
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

async function isWell(node: RedisProcess): Promise<boolean> {
  const info = await command(node, "CLUSTER INFO");
  return /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info);
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
