import { parseAllDocuments } from 'yaml';
import { ImportError } from './collector.ts';

/** The YAML parser takes some seconds for this much. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Parses YAML: one document or several. Aliases are refused, since a few lines of them can fill any memory.
 */
export function parseYamlDocuments(text: string): readonly unknown[] {
  if (text.length > LIMIT_BYTES) throw new ImportError('a YAML file may have at most 8 MiB');
  try {
    return parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false }).map((document) => {
      if (document.errors.length > 0) throw new ImportError('this is not YAML');
      return document.toJS({ maxAliasCount: 0 }) as unknown;
    });
  } catch (error) {
    if (error instanceof ImportError) throw error;
    // The parser's message may quote the content, and deep nesting ends as a RangeError.
    throw new ImportError('this YAML cannot be read: aliases and deep nesting are not supported');
  }
}
