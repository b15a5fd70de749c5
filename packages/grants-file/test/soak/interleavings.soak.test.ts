import { expect, it } from "vitest";
import { searchInterleavings } from "../lock/interleavings.js";

it("[CASE-109] holds in every order of the operations of three contenders of which two are killed", async () => {
  const { fault, states } = await searchInterleavings({ contenders: 3, deaths: 2, deadLock: true });
  expect({ fault, states }).toEqual({ fault: null, states: 26_258 });
}, 120_000);
