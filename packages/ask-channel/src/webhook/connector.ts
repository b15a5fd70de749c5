import { Socket } from "node:net";
import { buildConnector } from "undici";

/** Makes the connections of an agent, which knows a socket from when it is connected only. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /** Ends those that are being made, with `reason`. */
  end(reason: Error): void;
}

export function createConnector(options: buildConnector.BuildOptions): Connector {
  const open = buildConnector(options);
  const beingMade = new Set<Socket>();
  return {
    connect(target, callback) {
      // Its types do not say so, but it gives the socket.
      const socket: unknown = open(target, (...made) => {
        if (socket instanceof Socket) beingMade.delete(socket);
        callback(...made);
      });
      if (socket instanceof Socket) beingMade.add(socket);
    },
    end(reason) {
      for (const socket of beingMade) socket.destroy(reason);
    },
  };
}
