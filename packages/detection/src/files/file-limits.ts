const MIB = 1024 * 1024;

/** How much of a file is read. The rest is reported as unread: it is neither an error nor an all-clear. */
export interface FileLimits {
  readonly inputBytes: number;
  /** Of everything that is unpacked from one file, at any depth. */
  readonly outputBytes: number;
  /** The maximum ratio of unpacked to packed size of an entry, once it exceeds `ratioFloorBytes`. */
  readonly ratio: number;
  readonly ratioFloorBytes: number;
  /** Entries of all archives and parts of all mails within one file. */
  readonly entries: number;
  /** How deep nested files are opened; the file itself is at 0. */
  readonly depth: number;
  /** From the start of the analysis; checked between steps, each of which is short. */
  readonly timeMs: number;
  /** Links whose keys are looked up. */
  readonly links: number;
  /**
   * Links, one of each host, that the model scores: a page of a thousand benign links holds some that look
   * suspicious.
   */
  readonly scoredLinks: number;
  readonly texts: number;
  /** Of one text. */
  readonly textCharacters: number;
}

/** An order of magnitude above what people's mails and downloads hold, and read in well under two seconds. */
export const FILE_LIMITS: FileLimits = {
  inputBytes: 16 * MIB,
  outputBytes: 32 * MIB,
  ratio: 200,
  ratioFloorBytes: MIB,
  entries: 1000,
  depth: 3,
  timeMs: 1200,
  links: 300,
  scoredLinks: 25,
  texts: 40,
  textCharacters: 100_000,
};

/** What is left of the limits while one file is read. Shared by everything inside it. */
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
