import type { Backends } from "../backends.js";
import type { Settings } from "../settings.js";
import { serveCallbacks } from "./callbacks.js";
import { sitAtDesk } from "./desk.js";
import { servePhones } from "./phone.js";
import { runWorker } from "./worker.js";

/** What a role is given, in a process of its own or not. */
export interface RoleContext {
  name: string;
  backends: Backends;
  settings: Settings;
  /** fires when it is to end */
  signal: AbortSignal;
  /** to be called once others can count on it, with the URL where it serves one */
  up(url?: string): void;
}

/** Fulfils once the role has ended, and holds nothing any more. */
export function playRole(context: RoleContext): Promise<void> {
  switch (context.name) {
    case "desk":
      return sitAtDesk(context);
    case "phone":
      return servePhones(context);
    case "callbacks":
      return serveCallbacks(context);
    default:
      return runWorker(context);
  }
}
