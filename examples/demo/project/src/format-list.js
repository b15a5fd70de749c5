/** The list as a person reads it, one item a line. */
export function formatList(items) {
  if (items.length === 0) return "Nothing to do.";
  return items.map((item) => `${item.number} ${item.done ? "[x]" : "[ ]"} ${item.text}`).join("\n");
}
