/** Fires at the first Ctrl-C, or when it is told to end otherwise. The second one ends the program on the spot. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => stopping.abort(name));
  }
  return stopping.signal;
}
