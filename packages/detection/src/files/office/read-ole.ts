import type { Contents } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import { latin1 } from '../file-type.ts';
import { runsOnOpen } from './macros.ts';

/** Reads an older Office document (MS-CFB), or an installer in the same container: by the names that stand in it. */
export function readOle(bytes: Uint8Array): Contents {
  const raw = latin1(bytes);
  const names = raw.replaceAll('\0', '');
  // The container of a document with a password (MS-OFFCRYPTO, section 2.3.4.4).
  if (names.includes('EncryptedPackage')) return { opaque: 'it is a document locked with a password' };
  const hasMacros = names.includes('_VBA_PROJECT') || names.includes('Macros');
  const findings = hasMacros ? [fileFinding(runsOnOpen(names) ? 'macros_that_start' : 'macros')] : [];
  return { findings, opaque: 'it is a document in a form of which only macros are looked for here' };
}
