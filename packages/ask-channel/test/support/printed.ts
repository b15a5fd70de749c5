import { inspect } from "node:util";
import type { ReportEvent } from "@x/permission-core";
import { expect } from "vitest";

/** Sets a terminal's title, clears its screen, feigns a line, and turns what comes after around. */
export const EVIL = "\u001b]0;owned\u0007\u001b[2J\nforged line\u009b2J\u202e";

/** What no line may hold that is shown to people. */
export const RAW: RegExp = /[\p{Cc}\u202e]/u;

/** The words of reports and of their causes, after a look at what a console makes of them. */
export function printed(reports: readonly ReportEvent[]): string[] {
  return reports.flatMap(({ message, cause }) => {
    expect(inspect(cause)).not.toMatch(/[^\P{Cc}\n]|\u202e|^forged line/mu);
    const words = [message];
    for (let next = cause; next instanceof Error; next = next.cause) words.push(next.message);
    return words;
  });
}
