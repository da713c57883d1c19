import type { Operation } from '@tps/contract';

/**
 * Returns the headers that tell callers about the end of an operation: `Deprecation` (RFC 9745 section 2.1, a date of structured
 * fields) and `Sunset` (RFC 8594 section 3, an HTTP date). Empty for an operation that stays.
 */
export function toDeprecationHeaders({ deprecated }: Pick<Operation, 'deprecated'>): Record<string, string> {
  if (deprecated === undefined) return {};
  const { since, sunset } = deprecated;
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
  };
}
