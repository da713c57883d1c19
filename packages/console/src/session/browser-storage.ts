/** Whose drafts and filters a storage has. */
const PERSON = 'tps-person';
/** What a person leaves in the browser. The theme and the contrast belong to the screen. */
const PERSONAL = ['tps-draft:', 'tps-list:', 'tps-first-steps:', PERSON];

/** Removes what another person has left in this browser and this tab: computers are shared. */
export function claimStorage(accountId: string): void {
  for (const storage of storages()) {
    try {
      if (storage.getItem(PERSON) !== accountId) removePersonal(storage);
      storage.setItem(PERSON, accountId);
    } catch {
      // A full or forbidden storage keeps nothing for anyone.
    }
  }
}

/** Removes what the person has left in this browser and this tab. Other windows notice it: see `onPersonChange`. */
export function clearStorage(): void {
  for (const storage of storages()) removePersonal(storage);
}

/** Calls a listener when the person signs out in another window, or another person signs in there. */
export function onPersonChange(accountId: string, listener: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === PERSON && newValue !== accountId) listener();
  });
}

function removePersonal(storage: Storage): void {
  for (const key of Object.keys(storage)) {
    if (PERSONAL.some((prefix) => key.startsWith(prefix))) storage.removeItem(key);
  }
}

function storages(): Storage[] {
  try {
    return [localStorage, sessionStorage];
  } catch {
    return [];
  }
}
