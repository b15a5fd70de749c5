import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fifo, type FifoEntry } from "../src/fifo.js";

describe("Fifo", () => {
  it("behaves as an array that is searched", () => {
    const step = fc.oneof(fc.constant("push" as const), fc.constant("shift" as const), fc.nat({ max: 9 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const fifo = new Fifo<number>();
        const handles: FifoEntry<number>[] = [];
        let model: number[] = [];
        for (const action of steps) {
          if (action === "push") {
            model.push(handles.length);
            handles.push(fifo.push(handles.length));
          } else if (action === "shift") {
            expect(fifo.shift()).toBe(model.shift());
          } else {
            const handle = handles[action];
            if (handle === undefined) continue;
            fifo.remove(handle);
            model = model.filter((value) => value !== handle.value);
          }
          expect(fifo.size).toBe(model.length);
        }
        for (const value of model) expect(fifo.shift()).toBe(value);
        expect(fifo.shift()).toBeUndefined();
      }),
    );
  });
});
