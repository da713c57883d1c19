/** The exit codes of the program. docs/command-line.md has the same table. */
export const EXIT = {
  ok: 0,
  /** Any failure without its own code. */
  failure: 1,
  /** The command line or the request is not valid. */
  usage: 2,
  notFound: 3,
  /** The credential is missing, not valid, or lacks the permission. */
  refused: 4,
  /** The service cannot be reached, or asks to try again later. */
  unavailable: 5,
  /** The request does not fit the current state of the resource. */
  conflict: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
