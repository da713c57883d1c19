/** Something that the operator must know when it fails. */
export interface ServiceCheck {
  /** Identifies it in the store, such as `certificate`. */
  readonly name: string;
  /** `process`: each process has its own result. `installation`: all processes have the same. */
  readonly scope: 'process' | 'installation';
  readonly whatToDo: string;
  /** Returns what is wrong, if anything. A check that throws has no result. */
  readonly findProblem: () => string | undefined | Promise<string | undefined>;
}

/** What a watch remembers about a check. */
export interface CheckState {
  /** Results in a row that differ from what the operator knows. */
  readonly changedRounds: number;
  /** The problem as the operator knows it, and since when; undefined if the operator knows of none. */
  readonly known: KnownProblem | undefined;
  /** The first result of these rounds. */
  readonly changedAtMs: number;
}

export interface KnownProblem {
  readonly problem: string;
  readonly sinceMs: number;
}

/** Rounds after which a change is reported: one failed request to the store is not an outage. */
const CONFIRMED_AFTER = 2;

/** What is reported to the operator. */
export interface StateChange {
  readonly kind: 'failing' | 'recovered';
  readonly problem: string;
  readonly sinceMs: number;
}

export const HEALTHY: CheckState = { changedRounds: 0, known: undefined, changedAtMs: 0 };

/** Returns the next state, and the change if it is confirmed. A confirmed change is repeated until `known` has it. */
export function nextState(
  { changedRounds, known, changedAtMs }: CheckState,
  problem: string | undefined,
  nowMs: number,
): { state: CheckState; change: StateChange | undefined } {
  const isSame = (problem !== undefined) === (known !== undefined);
  if (isSame) return { state: { changedRounds: 0, known, changedAtMs: 0 }, change: undefined };
  const firstMs = changedRounds === 0 ? nowMs : changedAtMs;
  const state = { changedRounds: changedRounds + 1, known, changedAtMs: firstMs };
  if (state.changedRounds < CONFIRMED_AFTER) return { state, change: undefined };
  if (problem !== undefined) return { state, change: { kind: 'failing', problem, sinceMs: firstMs } };
  return { state, change: known && { kind: 'recovered', ...known } };
}
