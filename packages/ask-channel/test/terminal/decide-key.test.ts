import { describe, expect, it } from "vitest";
import { decideKey } from "../../src/terminal/decide-key.js";
import type { Key, KeyName } from "../../src/terminal/key-parser.js";

const key = (name: Exclude<KeyName, "character">): Key => ({ name });
const character = (text: string): Key => ({ name: "character", text });

describe("decideKey", () => {
  it.each(["interrupt", "end_of_input"] as const)("%s denies everywhere and always", (name) => {
    for (const mode of ["choosing", "commenting"] as const) {
      for (const deliberate of [true, false]) expect(decideKey(key(name), { mode, deliberate })).toBe("deny");
    }
  });

  it("while choosing, only the arrows and Enter pass, and only once the list was on screen", () => {
    for (const name of ["up", "down", "enter"] as const) {
      expect(decideKey(key(name), { mode: "choosing", deliberate: false })).toBe("drop");
      expect(decideKey(key(name), { mode: "choosing", deliberate: true })).toBe("pass");
    }
    for (const dropped of [
      key("left"),
      key("home"),
      key("backspace"),
      key("other"),
      character("y"),
      character("j"),
    ]) {
      expect(decideKey(dropped, { mode: "choosing", deliberate: true })).toBe("drop");
    }
  });

  it("while choosing, Escape and n deny at any time", () => {
    for (const deliberate of [true, false]) {
      for (const denying of [key("escape"), character("n"), character("N")]) {
        expect(decideKey(denying, { mode: "choosing", deliberate })).toBe("deny");
      }
    }
  });

  it("[CASE-204] while commenting, no key of the text decides", () => {
    const situation = { mode: "commenting", deliberate: true } as const;
    for (const editing of [
      key("backspace"),
      key("delete"),
      key("left"),
      key("enter"),
      key("escape"),
      character("n"),
    ]) {
      expect(decideKey(editing, situation)).toBe("pass");
    }
    for (const dropped of [key("up"), key("down"), key("other"), character("\u202e"), character("\u0085")]) {
      expect(decideKey(dropped, situation)).toBe("drop");
    }
  });
});
