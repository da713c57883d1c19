/** In ascending order. `warning`: the service works, but part of it does not, or soon will not. `critical`: it does not work. */
const LEVELS = ['warning', 'critical'] as const;
export type Level = (typeof LEVELS)[number];

/** What is wrong. */
export interface Finding {
  readonly level: Level;
  readonly problem: string;
}

/** Something that the operator must know when it fails. */
export interface ServiceCheck {
  /** Identifies it in the store, such as `certificate`. All processes have the same checks. */
  readonly name: string;
  readonly whatToDo: string;
  /** What it means that there is no result in time. Null: nothing is known then. */
  readonly levelWhenLate: Level | null;
  /** Returns what is wrong, if anything. A check that throws has no result. */
  readonly findProblem: () => Finding | undefined | Promise<Finding | undefined>;
}

/** Longer than the store takes to fail. */
const CHECK_MS = 10_000;

/** The place of a level among all; without a problem 0. */
export function rankOf(level: Level | undefined): number {
  return level === undefined ? 0 : LEVELS.indexOf(level) + 1;
}

/** Runs a check. Returns undefined if it has no result. */
export async function runCheck({
  name,
  levelWhenLate,
  findProblem,
}: ServiceCheck): Promise<{ finding: Finding | undefined } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const problem = `no result of the check "${name}" within ${CHECK_MS / 1000} s`;
  const whenLate = levelWhenLate === null ? undefined : { finding: { level: levelWhenLate, problem } };
  const late = new Promise<typeof whenLate>((resolve) => {
    timer = setTimeout(() => resolve(whenLate), CHECK_MS);
  });
  try {
    return await Promise.race([(async () => ({ finding: await findProblem() }))(), late]);
  } finally {
    clearTimeout(timer);
  }
}
