export interface PlacedRow {
  readonly index: number;
  /** The number of its elements in the document. */
  readonly slot: number;
}

/**
 * The rows in the document, each with its elements. A row that comes onto the screen takes the elements of one that left it: to
 * create them took three times as long. A row that stays keeps its own, and with them the focus.
 */
export class RowSlots {
  #slots: ReadonlyMap<number, number> = new Map();

  /**
   * Returns the rows to show in this frame. Of the wanted ones, whose first matter most, at most `limit` are new. Until all are
   * there, rows that left the screen keep the elements that are not needed yet, if they are among the `count` of the list.
   */
  next(
    wanted: readonly number[],
    { count, limit }: { readonly count: number; readonly limit: number },
  ): { readonly rows: readonly PlacedRow[]; readonly isComplete: boolean } {
    const before = this.#slots;
    const missing = wanted.filter((index) => !before.has(index));
    const coming = before.size === 0 ? missing : missing.slice(0, limit);
    const isComplete = coming.length === missing.length;
    const staying = new Set(wanted);
    const after = new Map([...before].filter(([index]) => staying.has(index)));
    const leaving = [...before].filter(([index]) => !staying.has(index));
    const unused = unusedSlots(before);
    for (const index of coming) after.set(index, leaving.shift()?.[1] ?? (unused.next().value as number));
    if (!isComplete) for (const [index, slot] of leaving) if (index < count) after.set(index, slot);
    this.#slots = after;
    const rows = [...after].map(([index, slot]) => ({ index, slot }));
    return { rows: rows.sort((one, other) => one.slot - other.slot), isComplete };
  }
}

function* unusedSlots(slots: ReadonlyMap<number, number>): Generator<number> {
  const taken = new Set(slots.values());
  for (let slot = 0; ; slot += 1) if (!taken.has(slot)) yield slot;
}
