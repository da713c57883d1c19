export type Durability = 'always' | 'never';

/** Concurrent decisions: one after the other, or as many as a busy application may have. */
export const RECORDERS = [1, 16] as const;

const DURABILITY_NAMES = { always: 'with fsync', never: 'without fsync' } as const;

/** The rows of the table. */
export const AGENT_ROWS = {
  record: (durability: Durability, recorders: number) =>
    `decisions recorded ${DURABILITY_NAMES[durability]}, ${recorders === 1 ? 'one after the other' : `${recorders} at once`}`,
  append: (durability: Durability) =>
    durability === 'always' ? 'bare append + fsync of the same bytes' : 'bare append of the same bytes',
  pooledAppend: 'the same, without blocking the process',
  upload: 'events uploaded, service on SQLite',
  echo: 'bare posts of the same bodies to an echo',
  fill: (buffered: number) => `buffering ${buffered.toLocaleString('en')} events`,
  open: (buffered: number) => `opening with ${buffered.toLocaleString('en')} buffered events`,
} as const;
