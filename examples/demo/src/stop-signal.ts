/**
 * Fires when the user interrupts the program or nobody reads its output any more, so that what is running is called off and
 * the ledger is complete. A second interruption ends the program at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => controller.abort(name));
  }
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    controller.abort("EPIPE");
  });
  return controller.signal;
}

/** What the program ends with: a reader that has read enough is no failure. */
export function exitCodeOf(signal: AbortSignal): number {
  return signal.aborted && signal.reason !== "EPIPE" ? 130 : 0;
}
