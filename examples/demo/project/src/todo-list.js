/** The items with one more at the end. */
export function addItem(items, text) {
  if (text.trim() === "") throw new Error("an item needs a text");
  const number = Math.max(0, ...items.map((item) => item.number)) + 1;
  return [...items, { number, text: text.trim(), done: false }];
}

/** The items with one of them marked as done. */
export function finishItem(items, number) {
  if (!items.some((item) => item.number === number)) throw new Error(`no item ${number}`);
  return items.map((item) => (item.number === number ? { ...item, done: true } : item));
}
