import type { Contents } from './contents.ts';
import { endingOf } from './disguise.ts';
import { fileFinding } from './file-finding.ts';

const TABLE = /^(?:csv|tsv|tab)$/;
/** A cell by which Excel starts another program: a name, a bar, what it is to do, an exclamation mark. */
const COMMAND_CELL = /(?:^|[,;\t"'])\s{0,8}[=+@-][^\r\n,;|]{0,64}\|[^\r\n!]{1,128}!/m;

/** Reads what is nothing but words. */
export function readWords(text: string, name: string | undefined): Contents {
  const hasCommand = TABLE.test(endingOf(name)) && COMMAND_CELL.test(text);
  return { texts: [text], findings: hasCommand ? [fileFinding('command_in_document')] : [] };
}
