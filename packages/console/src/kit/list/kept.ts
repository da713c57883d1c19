/** Reads what the browser keeps under a key. Undefined without it, and where storage is refused. */
export function readKept<Value>(key: string): Value | undefined {
  try {
    const text = localStorage.getItem(`tps-list:${key}`);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

/** Keeps a value for the next visit, where the browser allows it. */
export function writeKept(key: string, value: unknown): void {
  try {
    localStorage.setItem(`tps-list:${key}`, JSON.stringify(value));
  } catch {
    // Storage is full or refused: the list works without it.
  }
}
