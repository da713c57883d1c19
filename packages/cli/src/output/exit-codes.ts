/** How the program ends. The table in docs/command-line.md says the same to people. */
export const EXIT = {
  ok: 0,
  /** Whatever has no code of its own. */
  failure: 1,
  /** The command, or what the service was asked, is not valid. */
  usage: 2,
  notFound: 3,
  /** The credential is missing, unknown, or may not do this. */
  refused: 4,
  /** The service cannot be reached, or asks to come back later. */
  unavailable: 5,
  /** What was asked does not fit the state in which the thing is. */
  conflict: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
