export interface PlacedRow {
  readonly index: number;
  /** The number of its elements in the document. */
  readonly slot: number;
}

interface Frame {
  /** The id of the item of a row. */
  readonly idAt: (index: number) => string;
  /** The rows of the list. */
  readonly count: number;
  /** At most so many rows are new. */
  readonly limit: number;
  /** The elements with the focus. They are not given to another item, at which the reader would then act. */
  readonly focused: number | undefined;
}

/**
 * The rows in the document, each with its elements. An item that comes onto the screen takes the elements of one that left it: to
 * create them took three times as long. One that stays keeps its own, and with them the focus, wherever its row moves.
 */
export class RowSlots {
  #placed: ReadonlyMap<string, PlacedRow> = new Map();

  /**
   * Returns the rows to show in this frame. Of the wanted ones, whose first matter most, at most `limit` are new. Until all are
   * there, rows that left the screen keep the elements that are not needed yet.
   */
  next(
    wanted: readonly number[],
    { idAt, count, limit, focused }: Frame,
  ): { readonly rows: readonly PlacedRow[]; readonly isComplete: boolean } {
    const before = this.#placed;
    const byId = new Map(wanted.map((index) => [idAt(index), index]));
    const missing = [...byId].filter(([id]) => !before.has(id));
    const coming = before.size === 0 ? missing : missing.slice(0, limit);
    const isComplete = coming.length === missing.length;
    const after = new Map<string, PlacedRow>();
    for (const [id, index] of byId) {
      const slot = before.get(id)?.slot;
      if (slot !== undefined) after.set(id, { index, slot });
    }
    const leaving = [...before].filter(([id, { slot }]) => !byId.has(id) && slot !== focused);
    const unused = unusedSlots(before.values());
    for (const [id, index] of coming) {
      after.set(id, { index, slot: leaving.shift()?.[1].slot ?? (unused.next().value as number) });
    }
    const stale = isComplete ? [] : leaving.filter(([id, { index }]) => index < count && idAt(index) === id);
    for (const [id, row] of stale) after.set(id, row);
    this.#placed = after;
    return { rows: [...after.values()].sort((one, other) => one.slot - other.slot), isComplete };
  }
}

function* unusedSlots(rows: Iterable<PlacedRow>): Generator<number> {
  const taken = new Set(Array.from(rows, ({ slot }) => slot));
  for (let slot = 0; ; slot += 1) if (!taken.has(slot)) yield slot;
}
