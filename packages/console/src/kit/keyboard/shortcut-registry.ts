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
  /** Adds shortcuts until the returned function is called. Of two for one key, the later one is asked first. */
  readonly add: (shortcuts: readonly Shortcut[]) => () => void;
  /** Runs what a key stands for. Returns whether there was something to run. */
  readonly press: (key: string, event: KeyboardEvent) => boolean;
  /** The shortcuts that act now: what a later one replaces is left out. The same array until something changes. */
  readonly active: () => readonly Shortcut[];
  readonly subscribe: (listener: () => void) => () => void;
}

/** Creates the registry of the shortcuts that are active now. */
export function createShortcutRegistry(): ShortcutRegistry {
  let sets: readonly (readonly Shortcut[])[] = [];
  let active: readonly Shortcut[] = [];
  const listeners = new Set<() => void>();
  const replace = (next: typeof sets) => {
    sets = next;
    active = withoutReplaced(sets.flat());
    for (const listener of listeners) listener();
  };
  return {
    add: (shortcuts) => {
      const own = [...shortcuts];
      replace([...sets, own]);
      return () => replace(sets.filter((set) => set !== own));
    },
    press: (key, event) =>
      sets
        .flat()
        .reverse()
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
