import { parseAllDocuments } from 'yaml';
import { ImportError } from './collector.ts';

/** The reader of YAML takes some seconds for as much. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/** Reads YAML: one document or several. Aliases are refused, for a few lines of them are enough to fill any memory. */
export function parseYamlDocuments(text: string): readonly unknown[] {
  if (text.length > LIMIT_BYTES) throw new ImportError('a YAML file may have at most 8 MiB');
  try {
    return parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false }).map((document) => {
      if (document.errors.length > 0) throw new ImportError('this is no YAML');
      return document.toJS({ maxAliasCount: 0 }) as unknown;
    });
  } catch (error) {
    if (error instanceof ImportError) throw error;
    // What went wrong could quote the content; and what is nested too deeply ends as a RangeError.
    throw new ImportError('this YAML cannot be read: no aliases, and nothing nested deeply');
  }
}
