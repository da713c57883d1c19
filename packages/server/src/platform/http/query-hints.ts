/** A time whose offset began with `+` before the query was decoded. */
const TIME_WITH_SPACE = /^\d{4}-\d\d-\d\d[Tt][\d:.]+ \d\d:\d\d$/;

/** Adds what most likely went wrong to the message about a query parameter. Does not repeat the value. */
export function addHint(message: string, { field, value }: { field: string; value: unknown }): string {
  if (field === 'cursor' && value === '')
    return 'cursor is empty: leave the parameter out for the first page';
  if (typeof value === 'string' && TIME_WITH_SPACE.test(value))
    return `${message}. In a query, + stands for a space: write it as %2B`;
  return message;
}
