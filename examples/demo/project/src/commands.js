import { formatList } from "./format-list.js";
import { addItem, finishItem } from "./todo-list.js";

/** What a command line makes of the items, and what it prints. */
export function runCommand([name = "list", ...rest], items) {
  switch (name) {
    case "add": {
      const added = addItem(items, rest.join(" "));
      return { items: added, output: formatList(added) };
    }
    case "done": {
      const changed = finishItem(items, Number(rest[0]));
      return { items: changed, output: formatList(changed) };
    }
    case "list":
      return { items, output: formatList(items) };
    default:
      throw new Error(`no such command: ${name}`);
  }
}
