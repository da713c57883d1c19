import { X509Certificate } from 'node:crypto';

/**
 * Signers whose statements on the origin of media are trusted. Empty unless an operator configures a list:
 * the C2PA publishes its list at https://github.com/c2pa-org/conformance-public
 * (trust-list/C2PA-TRUST-LIST.pem), and the interim list before it, frozen in 2026, is at
 * https://github.com/contentauth/verify-site (static/trust). A copy shipped here would become outdated.
 */
export interface TrustList {
  /** PEM, with one or more certificates each: of authorities, or of signers themselves. */
  readonly anchors: readonly string[];
}

export const NO_TRUST: TrustList = { anchors: [] };

/** Real chains of authorities are shorter. */
const MAX_CHAIN_LENGTH = 8;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,20000}-----END CERTIFICATE-----/g;

/**
 * Returns whether a chain of certificates (DER, the signer's first) leads to an anchor, each issued by the
 * next and valid at the time. Revocation is not checked, since that would need the network.
 */
export function isTrusted(chain: readonly Uint8Array[], { anchors }: TrustList, at: Date): boolean {
  const trusted = anchors.flatMap((pem) => pem.match(CERTIFICATE) ?? []).flatMap(toCertificate);
  const certificates = chain.slice(0, MAX_CHAIN_LENGTH).flatMap((der) => toCertificate(Buffer.from(der)));
  let [current] = certificates;
  for (let step = 1; current !== undefined && step <= MAX_CHAIN_LENGTH; step++) {
    const subject: X509Certificate = current;
    if (!isValidAt(subject, at)) return false;
    if (trusted.some(({ fingerprint256 }) => fingerprint256 === subject.fingerprint256)) return true;
    if (trusted.some((anchor) => isIssuedBy(subject, anchor) && isValidAt(anchor, at))) return true;
    const next = certificates[step];
    current = next && isIssuedBy(subject, next) ? next : undefined;
  }
  return false;
}

function isIssuedBy(subject: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && subject.checkIssued(issuer) && subject.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo);
}

function toCertificate(source: string | Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(source)];
  } catch {
    return [];
  }
}
