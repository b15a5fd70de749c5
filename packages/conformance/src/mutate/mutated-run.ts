/** Whether the environment variable `VECTORS_MUTATED` is set. Where there is no process there is no such run. */
export function isMutatedRun(): boolean {
  const host = globalThis as { process?: { env?: { VECTORS_MUTATED?: string } } };
  return Boolean(host.process?.env?.VECTORS_MUTATED);
}
