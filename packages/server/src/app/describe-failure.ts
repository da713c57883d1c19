/** Errors of the language itself: only a programming mistake causes them, and only the stack helps. */
const PROGRAMMING_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Describes for the operator why the program failed, with the causes. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (PROGRAMMING_ERRORS.some((kind) => error instanceof kind)) return error.stack ?? error.message;
  return toMessages(error).join('\n  because: ');
}

function toMessages(error: Error): string[] {
  // Several addresses of one name, or several tenants, were tried; each has its own reason.
  const own = error instanceof AggregateError ? error.errors.map(describeOne).join('; ') : error.message;
  return error.cause instanceof Error ? [own, ...toMessages(error.cause)] : [own];
}

function describeOne(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error
    ? toMessages(error).join(': ')
    : String(error);
}
