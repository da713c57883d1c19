import { useCallback, useState } from 'react';
import { tenantOfAddress } from '../../session/index.ts';

/**
 * State of a form that survives a reload, a dropped connection and a new sign-in: it is kept in the storage of the tab until
 * `clear` is called. Do not use it for secrets.
 *
 * @param key names the form and its object: `incident-comment:inc_1`
 */
export function useDraft<Value>(
  key: string,
  initial: Value,
): { value: Value; setValue: (value: Value) => void; clear: () => void; isRestored: boolean } {
  const storageKey = toStorageKey(key);
  const [{ stored }] = useState(() => ({ stored: read<Value>(storageKey) }));
  const [value, setState] = useState(stored ?? initial);
  const setValue = useCallback(
    (next: Value) => {
      setState(next);
      write(storageKey, next);
    },
    [storageKey],
  );
  const clear = useCallback(() => {
    setState(initial);
    write(storageKey, undefined);
  }, [storageKey, initial]);
  return { value, setValue, clear, isRestored: stored !== undefined };
}

/** Forgets a draft whose form is no longer there: what it asked for is done. */
export function clearDraft(key: string): void {
  write(toStorageKey(key), undefined);
}

/** Each tenant has its own: what was typed for one must not be sent to another. */
function toStorageKey(key: string): string {
  return `tps-draft:${tenantOfAddress() ?? ''}:${key}`;
}

function read<Value>(key: string): Value | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

/** A full or forbidden storage costs the draft, not the form. */
function write(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}
