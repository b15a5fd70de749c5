import { onAbort } from "@x/permission-core";
import { WORKERS } from "../plan.js";
import type { Settings } from "../settings.js";
import type { Member, StartMember } from "./member.js";

export interface TeamOutcome {
  /** whether all workers came to their end */
  isDone: boolean;
  started: number;
  /** names of those that failed, or had to be killed */
  failed: string[];
}

/** Starts everybody, waits for the workers, and has everybody end: also when `signal` fires, or somebody else ends first. */
export async function runTeam(
  start: StartMember,
  settings: Settings,
  signal: AbortSignal,
): Promise<TeamOutcome> {
  const members: Member[] = [];
  const ending = new AbortController();
  const begin = (name: string, given: Settings): Member => {
    ending.signal.throwIfAborted();
    const member = start(name, given);
    members.push(member);
    return member;
  };
  const stopped = new Promise<false>((resolve) => void onAbort(signal, () => resolve(false)));
  const isDone = await Promise.race([stopped, playOut(begin, settings)]);
  // From here on nobody is started any more.
  ending.abort();
  const endings = await Promise.all(members.map(async ({ name, stop }) => ((await stop()) ? [] : [name])));
  return { isDone, started: members.length, failed: endings.flat() };
}

/** Whether all workers came to their end. The first is up once it has asked: what it was told to remember, the others know. */
async function playOut(
  begin: (name: string, settings: Settings) => Member,
  settings: Settings,
): Promise<boolean> {
  const phone = begin("phone", settings);
  const callbacks = begin("callbacks", settings);
  const desk = begin("desk", settings);
  const services = Promise.race([phone.ended, callbacks.ended, desk.ended]).then(() => false);

  const serve = Promise.all([phone.up, callbacks.up, desk.up]);
  const urls = await Promise.race([serve, services.then(() => null)]);
  if (urls === null) return false;
  const [phoneUrl, callbackUrl] = urls;

  const work = async () => {
    const workers: Member[] = [];
    for (const name of WORKERS) {
      const worker = begin(name, { ...settings, phoneUrl, callbackUrl });
      workers.push(worker);
      await Promise.race([worker.up, worker.ended]);
    }
    return (await Promise.all(workers.map(({ ended }) => ended))).every((isWell) => isWell);
  };
  return Promise.race([work(), services]);
}
