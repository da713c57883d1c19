/** Descriptions of events that make `faulty-append-worker.ts` fail. */
export const FAULTS = {
  endsBefore: 'fault: the thread ends before the transaction',
  endsAfter: 'fault: the thread ends after the commit',
  holdsLock: 'fault: the thread holds the lock of the store and stops there',
} as const;
