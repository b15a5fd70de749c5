import type { Backends } from "../backends.js";
import { playRole } from "../roles/role.js";
import type { Member, StartMember } from "./member.js";

/** Plays roles in this process, with backends that they share. */
export function startLocally(backends: Backends): StartMember {
  return (name, settings): Member => {
    const stopping = new AbortController();
    let isUp = (_url: string) => {};
    const up = new Promise<string>((resolve) => {
      isUp = resolve;
    });
    const { signal } = stopping;
    const ended = playRole({ name, backends, settings, signal, up: (url = "") => isUp(url) }).then(
      () => true,
      (error: unknown) => {
        console.error(`! ${name} failed`, error);
        return false;
      },
    );
    return {
      name,
      up,
      ended,
      stop() {
        stopping.abort();
        return ended;
      },
    };
  };
}
