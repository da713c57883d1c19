/** What `faulty-append-worker.ts` can do. The description of an event asks for it, or the variable FAULT. */
export const FAULTS = {
  endsBefore: 'fault: the thread ends before the transaction',
  endsAfter: 'fault: the thread ends after the commit',
  throws: 'fault: an error in the thread is not caught',
  stops: 'fault: the thread locks the store and stops there',
  isSlow: 'fault: the thread takes 100 ms more',
} as const;

export type Fault = keyof typeof FAULTS;

/** With the variable FAULT, one in this many groups has the fault. */
export const EVERY: Readonly<Record<Fault, number>> = {
  endsBefore: 5,
  endsAfter: 5,
  throws: 5,
  stops: 20,
  isSlow: 1,
};
