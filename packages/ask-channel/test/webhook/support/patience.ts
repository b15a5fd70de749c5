/** How long a test waits for what is sure to come, on a machine that is busy with other things. */
export const PATIENTLY = { timeout: 15_000 };
