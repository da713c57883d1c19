/** A key, what it does, and how `?` names it. */
export interface Shortcut {
  /** `j`, `Shift+x`, `/`, `Enter`: see `keyOfEvent`. Several keys for the same act are listed in the order in which `?` shows them. */
  readonly keys: string | readonly string[];
  /** Shown by `?`: `Next incident`. */
  readonly label: string;
  /** The heading in `?` that it stands under: `List`, `Incident`. */
  readonly group: string;
  /** Returning false passes the key on: to a shortcut that was added earlier, or to the browser. */
  readonly run: (event: KeyboardEvent) => unknown;
}

export interface ShortcutRegistry {
  /**
   * Adds shortcuts until the returned function is called. Of two for one key, the one of the higher level is asked first:
   * an item beside a list before the list. Of two of one level, the later one.
   */
  readonly add: (shortcuts: readonly Shortcut[], level?: number) => () => void;
  /** Runs what a key stands for. Returns whether there was something to run. */
  readonly press: (key: string, event: KeyboardEvent) => boolean;
  /** The shortcuts that act now: what a later one replaces is left out. The same array until something changes. */
  readonly active: () => readonly Shortcut[];
  readonly subscribe: (listener: () => void) => () => void;
}

interface ShortcutSet {
  readonly shortcuts: readonly Shortcut[];
  readonly level: number;
}

/** Creates the registry of the shortcuts that are active now. */
export function createShortcutRegistry(): ShortcutRegistry {
  let sets: readonly ShortcutSet[] = [];
  let active: readonly Shortcut[] = [];
  const listeners = new Set<() => void>();
  const all = () => sets.flatMap(({ shortcuts }) => shortcuts);
  const replace = (next: typeof sets) => {
    sets = next;
    active = withoutReplaced(all());
    for (const listener of listeners) listener();
  };
  return {
    add: (shortcuts, level = 0) => {
      const own = { shortcuts, level };
      replace([...sets, own].sort((a, b) => a.level - b.level));
      return () => replace(sets.filter((set) => set !== own));
    },
    press: (key, event) =>
      all()
        .toReversed()
        .some((shortcut) => keysOf(shortcut).includes(key) && shortcut.run(event) !== false),
    active: () => active,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the keys of a shortcut. */
export function keysOf({ keys }: Pick<Shortcut, 'keys'>): readonly string[] {
  return typeof keys === 'string' ? [keys] : keys;
}

function withoutReplaced(shortcuts: readonly Shortcut[]): readonly Shortcut[] {
  return shortcuts.filter((shortcut, index) => {
    const later = shortcuts.slice(index + 1).flatMap(keysOf);
    return !keysOf(shortcut).every((key) => later.includes(key));
  });
}
