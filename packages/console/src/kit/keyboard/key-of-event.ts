/** What is needed of a keyboard event. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** Returns the key as shortcuts name it: `j`, `Shift+x`, `?`, `Escape`, `Ctrl+Enter`. Cmd is written `Ctrl`. */
export function keyOfEvent({ key, ctrlKey, altKey, metaKey, shiftKey }: KeyPress): string {
  const isSymbol = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  const parts = [
    (ctrlKey || metaKey) && 'Ctrl',
    altKey && 'Alt',
    // A symbol such as `?` already contains the Shift that the keyboard layout asks for.
    shiftKey && !isSymbol && 'Shift',
    key.length === 1 ? key.toLowerCase() : key,
  ];
  return parts.filter(Boolean).join('+');
}
