/** What came of one check. */
export interface CheckResult {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** One sentence on what is so. */
  readonly message: string;
  /** What to do about it; undefined where nothing has to be done. */
  readonly mend: string | undefined;
}

export function ok(check: string, message: string): CheckResult {
  return { check, state: 'ok', message, mend: undefined };
}

export function warn(check: string, message: string, mend: string): CheckResult {
  return { check, state: 'warn', message, mend };
}

export function fail(check: string, message: string, mend: string): CheckResult {
  return { check, state: 'fail', message, mend };
}

/** Gives the sentence of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
