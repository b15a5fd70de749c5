import { describe, expect, it } from "vitest";
import { namedOptions } from "../src/index.js";

const NAMES = { a: true, b: true, c: true } as const;

interface Options {
  a?: number;
  b?: number;
  c?: number;
  other?: number;
}

describe("the options of some names", () => {
  it("are those that an object has itself, by accessors of its class, of private fields too, and by inheritance", () => {
    class Base {
      get a() {
        return 1;
      }
    }
    class Settings extends Base implements Options {
      readonly #b = 2;
      c = 3;
      get b() {
        return this.#b;
      }
    }
    expect(namedOptions<Options, "a" | "b" | "c">(new Settings(), NAMES)).toEqual({ a: 1, b: 2, c: 3 });
    expect(namedOptions<Options, "a">(Object.create({ a: 4 }), { a: true })).toEqual({ a: 4 });
  });

  it("are no others, and not those that are left out; what is given as undefined stays so", () => {
    const options: Options = { a: 1, other: 9, ...({ b: undefined } as object) };
    expect(namedOptions(options, NAMES)).toStrictEqual({ a: 1, b: undefined });
  });

  it("are read once, and do not change with the object that they were read of", () => {
    let reads = 0;
    const options = {
      get a() {
        reads += 1;
        return reads;
      },
    };
    const copy = namedOptions(options, { a: true });
    expect([copy.a, copy.a, reads]).toEqual([1, 1, 1]);
  });

  it("are those too that are there only for whoever reads them", () => {
    const get = (target: Options, name: string) => (name === "b" ? 2 : Reflect.get(target, name));
    expect(namedOptions(new Proxy<Options>({ a: 1 }, { get }), NAMES)).toStrictEqual({ a: 1, b: 2 });
  });
});
