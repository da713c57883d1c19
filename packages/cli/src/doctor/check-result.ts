/** Result of one check. */
export interface CheckResult {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** One sentence about the result. */
  readonly message: string;
  /** What to do about it; undefined for `ok`. */
  readonly fix: string | undefined;
}

export function ok(check: string, message: string): CheckResult {
  return { check, state: 'ok', message, fix: undefined };
}

export function warn(check: string, message: string, fix: string): CheckResult {
  return { check, state: 'warn', message, fix };
}

export function fail(check: string, message: string, fix: string): CheckResult {
  return { check, state: 'fail', message, fix };
}

/** Returns the message of an error. */
export function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
