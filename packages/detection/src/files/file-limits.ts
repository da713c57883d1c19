const MIB = 1024 * 1024;

/** How much of a file is read. What lies beyond is said to be unread: it is never an error, and never an all-clear. */
export interface FileLimits {
  readonly inputBytes: number;
  /** Of all that is unpacked from one file, at any depth. */
  readonly outputBytes: number;
  /** How many times larger than its packed form an entry may be, once it has passed `ratioFloorBytes`. */
  readonly ratio: number;
  readonly ratioFloorBytes: number;
  /** Entries of all archives and parts of all mails within one file. */
  readonly entries: number;
  /** How deep files within files are opened; the file itself is at 0. */
  readonly depth: number;
  /** From the beginning of the analysis on; looked at between steps, each of which is short. */
  readonly timeMs: number;
  /** Links whose keys are looked up. */
  readonly links: number;
  /** Links, each of another host, that the model judges: a page of a thousand honest links holds some that look odd. */
  readonly judgedLinks: number;
  readonly texts: number;
  /** Of one text. */
  readonly textCharacters: number;
}

/** An order of magnitude above what mails and downloads of people hold, and read in well under two seconds. */
export const FILE_LIMITS: FileLimits = {
  inputBytes: 16 * MIB,
  outputBytes: 32 * MIB,
  ratio: 200,
  ratioFloorBytes: MIB,
  entries: 1000,
  depth: 3,
  timeMs: 1200,
  links: 300,
  judgedLinks: 25,
  texts: 40,
  textCharacters: 100_000,
};

/** What is left of the limits while one file is read. Shared by all that is found inside it. */
export interface Budget {
  readonly limits: FileLimits;
  readonly deadlineMs: number;
  bytesLeft: number;
  entriesLeft: number;
}

export function startBudget(limits: FileLimits): Budget {
  return {
    limits,
    deadlineMs: performance.now() + limits.timeMs,
    bytesLeft: limits.outputBytes,
    entriesLeft: limits.entries,
  };
}

export function isTimeUp({ deadlineMs }: Pick<Budget, 'deadlineMs'>): boolean {
  return performance.now() > deadlineMs;
}
