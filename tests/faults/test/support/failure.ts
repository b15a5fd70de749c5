import { isPermissionGateError } from "@x/permission-core";
import { pause } from "./until.js";

/** Within this a call that is bounded has certainly ended, on a machine that is busy. */
export const AT_MOST_MS = 5_000;

interface Failure {
  code: string;
  /** of the error and all its causes */
  message: string;
  tookMs: number;
}

/** How it failed. Throws where it did not, or not in time. */
export async function failureOf(run: () => PromiseLike<unknown>): Promise<Failure> {
  const beganAt = performance.now();
  const failed = Promise.resolve(run()).then(
    () => {
      throw new Error("it fulfilled");
    },
    (error: unknown): Failure => {
      const messages: string[] = [];
      for (let each = error; each instanceof Error; each = each.cause) messages.push(each.message);
      const code = isPermissionGateError(error) ? error.code : "none";
      return { code, message: messages.join(" | "), tookMs: performance.now() - beganAt };
    },
  );
  const late = pause(AT_MOST_MS).then(() => {
    throw new Error(`it has neither fulfilled nor rejected within ${AT_MOST_MS} ms`);
  });
  return Promise.race([failed, late]);
}
