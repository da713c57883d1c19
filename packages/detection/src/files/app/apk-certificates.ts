import { hash } from 'node:crypto';

/** The end of an "APK Signing Block": https://source.android.com/docs/security/features/apksigning/v2 */
const MAGIC = 'APK Sig Block 42';
/** The size is repeated before the magic. */
const FOOTER_BYTES = 24;
/** Schemes 2, 3 and 3.1. */
const SCHEMES = new Set([0x7109871a, 0xf05368c0, 0x1b93ad61]);
const MAX_CERTIFICATES = 10;
const CONSTRUCTED_SEQUENCE = 0x30;
const CONTEXT_0 = 0xa0;

/**
 * Returns the SHA-256, in hex, of the certificates with which an APK claims to be signed, in scheme 2 and
 * later. The signatures are not verified: a package with a false signer does not install.
 */
export function readSigningBlockCertificates(apk: Uint8Array, directoryAt: number): string[] {
  const footer = directoryAt - FOOTER_BYTES;
  if (footer < 8 || directoryAt > apk.length) return [];
  const view = new DataView(apk.buffer, apk.byteOffset, apk.byteLength);
  if (Buffer.from(apk.subarray(footer + 8, directoryAt)).toString('latin1') !== MAGIC) return [];
  const from = directoryAt - Number(view.getBigUint64(footer, true));
  const found: string[] = [];
  for (let at = from; at >= 0 && at + 12 <= footer && found.length < MAX_CERTIFICATES; ) {
    const length = Number(view.getBigUint64(at, true));
    if (length < 4 || at + 8 + length > footer) break;
    if (SCHEMES.has(view.getUint32(at + 8, true))) {
      found.push(...certificatesOfSigners(apk.subarray(at + 12, at + 8 + length)));
    }
    at += 8 + length;
  }
  return [...new Set(found)].slice(0, MAX_CERTIFICATES);
}

/** Signers → signer → signed data → digests, certificates; each is preceded by its length. */
function certificatesOfSigners(value: Uint8Array): string[] {
  const [signers] = prefixed(value);
  return prefixed(signers).flatMap((signer) => {
    const [signedData] = prefixed(signer);
    const [, certificates] = prefixed(signedData);
    return prefixed(certificates).map(digestOf);
  });
}

function prefixed(bytes: Uint8Array | undefined): Uint8Array[] {
  const parts: Uint8Array[] = [];
  if (bytes === undefined) return parts;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 4 <= bytes.length && parts.length < MAX_CERTIFICATES; ) {
    const end = at + 4 + view.getUint32(at, true);
    if (end > bytes.length) break;
    parts.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return parts;
}

/**
 * Returns the SHA-256 of the certificates in a signature of scheme 1: PKCS #7 SignedData (RFC 2315, section
 * 9.1).
 */
export function readPkcs7Certificates(der: Uint8Array): string[] {
  const signedData = childrenOf(childrenOf(childrenOf(der)[0]?.content)[1]?.content)[0];
  const certificates = childrenOf(signedData?.content).find(({ tag }) => tag === CONTEXT_0);
  return childrenOf(certificates?.content)
    .filter(({ tag }) => tag === CONSTRUCTED_SEQUENCE)
    .slice(0, MAX_CERTIFICATES)
    .map(({ whole }) => digestOf(whole));
}

interface Node {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** The consecutive values in DER, with lengths of up to four bytes. */
function childrenOf(bytes: Uint8Array | undefined): Node[] {
  const nodes: Node[] = [];
  if (bytes === undefined) return nodes;
  for (let at = 0; at + 2 <= bytes.length && nodes.length < 100; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (lengthBytes > 4 || first === 0x80) break;
    let length = lengthBytes === 0 ? first : 0;
    for (let index = 0; index < lengthBytes; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0);
    const from = at + 2 + lengthBytes;
    if (from + length > bytes.length) break;
    nodes.push({
      tag,
      content: bytes.subarray(from, from + length),
      whole: bytes.subarray(at, from + length),
    });
    at = from + length;
  }
  return nodes;
}

function digestOf(certificate: Uint8Array): string {
  return hash('sha256', certificate, 'hex');
}
