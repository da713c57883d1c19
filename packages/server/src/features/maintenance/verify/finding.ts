/** Why a row is not compared with the audit log. */
export const NOT_IN_LOG = 'without an audit entry that has its details';

/** What one kind of check has found in one tenant's data. */
export interface Findings {
  /** How many rows were compared. */
  readonly checked: number;
  /** Rows that could not be compared, by the reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Descriptions of what is wrong. */
  readonly problems: readonly string[];
}

/** Counts rows and collects problems while a check runs. A check with many problems lists the first ones only. */
export class FindingCollector {
  static readonly MAX_PROBLEMS = 20;
  readonly #skipped: Record<string, number> = {};
  readonly #problems: string[] = [];
  #checked = 0;

  /** Counts a row, and its problem if it has one. */
  add(problem?: string): void {
    this.#checked += 1;
    if (problem !== undefined) this.report(problem);
  }

  report(problem: string): void {
    if (this.#problems.length < FindingCollector.MAX_PROBLEMS) this.#problems.push(problem);
  }

  skip(reason: string, count = 1): void {
    this.#skipped[reason] = (this.#skipped[reason] ?? 0) + count;
  }

  findings(): Findings {
    return { checked: this.#checked, skipped: this.#skipped, problems: this.#problems };
  }
}
