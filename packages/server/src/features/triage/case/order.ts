/** Compares by a text in code-unit order, which is the same on every machine, unlike the order of a locale. */
export function by<Item>(keyOf: (item: Item) => string): (a: Item, b: Item) => number {
  return (a, b) => {
    const left = keyOf(a);
    const right = keyOf(b);
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  return new Map([...groupBy(items, keyOf)].map(([key, group]) => [key, group.length]));
}
