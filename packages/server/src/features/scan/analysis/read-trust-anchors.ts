import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the certificates of those whose statements on the origin of media count; nobody's without a file.
 * @throws Error naming the file, when it cannot be read or holds anything but certificates: trust must not be lost silently
 */
export function readTrustAnchors(file: string | undefined): string[] {
  if (file === undefined) return [];
  try {
    const anchors = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    if (anchors.length === 0) throw new Error('it holds no certificate in PEM');
    for (const anchor of anchors) new X509Certificate(anchor);
    return anchors;
  } catch (cause) {
    throw new Error(`the trust anchors in ${file} cannot be used`, { cause });
  }
}
