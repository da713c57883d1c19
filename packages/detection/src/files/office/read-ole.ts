import type { Contents } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import { latin1 } from '../file-type.ts';
import { runsOnOpen } from './macros.ts';

/**
 * Reads an older Office document (MS-CFB), or an installer in the same container, by the names in its bytes.
 * Not by its directory: damaged directories are common in malware, and the package `cfb` copied 3.7 GiB out
 * of a file of 2.5 MiB whose entries share one chain.
 */
export function readOle(bytes: Uint8Array): Contents {
  const raw = latin1(bytes);
  const names = raw.replaceAll('\0', '');
  // The container of a document with a password (MS-OFFCRYPTO, section 2.3.4.4).
  if (names.includes('EncryptedPackage')) return { opaque: 'it is a document protected with a password' };
  const hasMacros = names.includes('_VBA_PROJECT') || names.includes('Macros');
  const findings = hasMacros ? [fileFinding(runsOnOpen(names) ? 'macros_that_start' : 'macros')] : [];
  return { findings, opaque: 'it is a document in an older format, in which only macros are detected' };
}
