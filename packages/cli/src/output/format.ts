import { usageError } from './command-error.ts';

/** `table` for people, the others for programs. */
export type Format = 'table' | 'json' | 'ndjson';

/** Returns the requested format. @throws CommandError when both options are given */
export function toFormat({ json, ndjson }: { readonly json?: boolean; readonly ndjson?: boolean }): Format {
  if (json && ndjson) throw usageError('--json and --ndjson cannot be combined.');
  if (json) return 'json';
  return ndjson ? 'ndjson' : 'table';
}
