import { usageError } from './command-error.ts';

/** `table` for people, the others for programs. */
export type Format = 'table' | 'json' | 'ndjson';

/** Tells the format somebody asked for. @throws CommandError when they asked for two */
export function formatOf({ json, ndjson }: { readonly json?: boolean; readonly ndjson?: boolean }): Format {
  if (json && ndjson) throw usageError('Give either --json or --ndjson.');
  if (json) return 'json';
  return ndjson ? 'ndjson' : 'table';
}
