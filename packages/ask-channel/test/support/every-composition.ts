import type { AskResolver, Clock, OnReport } from "@x/permission-core";
import {
  type ComposableResolver,
  escalate,
  fallback,
  firstAnswer,
  quorum,
  route,
  withDeadline,
} from "../../src/index.js";

type Build = (member: ComposableResolver, options: { clock: Clock; onReport: OnReport }) => AskResolver;

/** Each composition around one member; what they have in common is tested once over all. */
export const everyComposition: readonly [name: string, build: Build][] = [
  ["firstAnswer", (member, options) => firstAnswer([member], options)],
  ["fallback", (member, options) => fallback([member], options)],
  ["route", (member, options) => route(() => member, options)],
  ["an asynchronous route", (member, options) => route(async () => member, options)],
  ["quorum", (member, options) => quorum(1, [member], options)],
  ["escalate", (member, options) => escalate([{ to: member }], options)],
  ["withDeadline", (member, options) => withDeadline(member, 1_000, options)],
  [
    "all of them, nested",
    (member, options) =>
      withDeadline(
        firstAnswer(
          [
            fallback(
              [escalate([{ to: quorum(1, [route(() => member, options)], options) }], options)],
              options,
            ),
          ],
          options,
        ),
        1_000,
        options,
      ),
  ],
];
