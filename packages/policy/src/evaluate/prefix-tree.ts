/**
 * Items by the text that a candidate begins with. A look-up walks the candidate once and meets only the prefixes that it
 * has, so that its cost does not follow the number of items.
 */
export class PrefixTree<Item> {
  readonly #root: Node<Item> = { label: "", items: [], children: null };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(prefix: string, item: Item): void {
    this.#size += 1;
    let node = this.#root;
    let at = 0;
    while (at < prefix.length) {
      const unit = prefix.charCodeAt(at);
      node.children ??= new Map();
      const child = node.children.get(unit);
      if (child === undefined) {
        node.children.set(unit, { label: prefix.slice(at), items: [item], children: null });
        return;
      }
      const shared = sharedLength(child.label, prefix, at);
      if (shared < child.label.length) node.children.set(unit, split(child, shared));
      node = node.children.get(unit) ?? child;
      at += shared;
    }
    node.items.push(item);
  }

  /** Calls `visit` with every item whose prefix `text` begins with, shortest prefix first. */
  visit(text: string, visit: (item: Item) => void): void {
    let node: Node<Item> | undefined = this.#root;
    let at = 0;
    while (node !== undefined) {
      for (const item of node.items) visit(item);
      node = node.children?.get(text.charCodeAt(at));
      if (node === undefined || !text.startsWith(node.label, at)) return;
      at += node.label.length;
    }
  }
}

interface Node<Item> {
  /** what its prefix has more than its parent's */
  label: string;
  items: Item[];
  /** by the first code unit of their labels */
  children: Map<number, Node<Item>> | null;
}

function sharedLength(label: string, prefix: string, at: number): number {
  const most = Math.min(label.length, prefix.length - at);
  let length = 1;
  while (length < most && label.charCodeAt(length) === prefix.charCodeAt(at + length)) length++;
  return length;
}

/** A node for the first `length` code units of the label, above the node of the rest. */
function split<Item>(node: Node<Item>, length: number): Node<Item> {
  const lower: Node<Item> = { ...node, label: node.label.slice(length) };
  return {
    label: node.label.slice(0, length),
    items: [],
    children: new Map([[lower.label.charCodeAt(0), lower]]),
  };
}
