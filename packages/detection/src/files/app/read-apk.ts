import type { AppContent } from '../../content.ts';
import { unpackEntry, type Zip } from '../archive/read-zip.ts';
import type { Contents } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import type { Budget } from '../file-limits.ts';
import { readPkcs7Certificates, readSigningBlockCertificates } from './apk-certificates.ts';
import { readApkManifest } from './apk-manifest.ts';

const MANIFEST = 'AndroidManifest.xml';
const SIGNATURE = /^META-INF\/[^/]{1,128}\.(?:RSA|DSA|EC)$/i;
const MAX_SIGNATURES = 4;
const STORED = 0;
const DEFLATED = 8;

/** Reads an Android app: its package name, permissions and signers. Its code is not analyzed. */
export function readApk(zip: Zip, sha256: string, budget: Budget): Contents {
  const packed = unpackEntry(zip, MANIFEST, budget);
  const manifest = packed && readApkManifest(packed);
  const certificates = certificatesOf(zip, budget);
  const evades = zip.entries.some(
    ({ name, method, isEncrypted }) =>
      name === MANIFEST && (isEncrypted || (method !== STORED && method !== DEFLATED)),
  );
  return {
    apps: manifest ? toApps({ type: 'app', ...manifest, sha256 }, certificates) : [],
    findings: evades ? [fileFinding('app_evades_tools')] : [],
    opaque: 'the code of the app is not analyzed',
    unread: () => (manifest ? undefined : 'the manifest of the app could not be read'),
  };
}

/** One for each certificate, so that each is looked up. */
function toApps(app: AppContent, certificates: readonly string[]): AppContent[] {
  return certificates.length === 0
    ? [app]
    : certificates.map((certificateSha256) => ({ ...app, certificateSha256 }));
}

function certificatesOf(zip: Zip, budget: Budget): string[] {
  const ofScheme1 = zip.entries
    .filter(({ name }) => SIGNATURE.test(name))
    .slice(0, MAX_SIGNATURES)
    .flatMap(({ name }) => {
      const signature = unpackEntry(zip, name, budget);
      return signature ? readPkcs7Certificates(signature) : [];
    });
  return [...new Set([...readSigningBlockCertificates(zip.bytes, zip.startsAt), ...ofScheme1])];
}
