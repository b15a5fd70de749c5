import { open } from "node:fs/promises";

/** Has the names in a folder survive a power cut, where the system can promise that: Windows opens no folder. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
