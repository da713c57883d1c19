const NAME = 'tps-first-steps:';

/** Whether this browser has put the first steps of a tenant away. */
export function isPutAway(tenantId: string): boolean {
  try {
    return localStorage.getItem(NAME + tenantId) === 'hidden';
  } catch {
    return false;
  }
}

/** Puts them away, where the browser allows to keep that. */
export function putAway(tenantId: string): void {
  try {
    localStorage.setItem(NAME + tenantId, 'hidden');
  } catch {
    // They return at the next visit.
  }
}
