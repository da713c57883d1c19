import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureVersion } from 'node:tls';

export type TlsFiles = { certFile: string; keyFile: string };

/** What `https.createServer` and `setSecureContext` take. */
export type TlsContext = { cert: string; key: string; minVersion: SecureVersion };

/** A usable pair, warnings for the operator, and whether the certificate is valid at the time. */
export type LoadedTls = { context: TlsContext; warnings: string[]; isValid: boolean };

const WARN_BEFORE_EXPIRY_MS = 14 * 86_400_000;

/**
 * Loads a certificate chain and its key and checks that they belong together. An expired certificate is still
 * served, with a warning: rejecting it would turn a warning in clients into an outage.
 * @throws Error naming the file and what is wrong with it; never the key
 */
export function loadTlsContext({ certFile, keyFile }: TlsFiles, nowMs: number): LoadedTls {
  const cert = readPem(certFile, 'certificate');
  const key = readPem(keyFile, 'private key');
  const leaf = attempt(() => new X509Certificate(cert), `${certFile} contains no PEM certificate`);
  const privateKey = attempt(() => createPrivateKey(key), `${keyFile} contains no usable PEM private key`);
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new Error(`the private key in ${keyFile} does not belong to the certificate in ${certFile}`);
  }
  const context: TlsContext = { cert, key, minVersion: 'TLSv1.2' };
  // Anything else that OpenSSL rejects (a weak key, a broken chain) must fail here and not at the first handshake.
  attempt(() => createSecureContext(context), `${certFile} and ${keyFile} cannot be used for TLS`);
  const isValid = Date.parse(leaf.validFrom) <= nowMs && nowMs < Date.parse(leaf.validTo);
  return { context, warnings: findWarnings(leaf, { certFile, nowMs }), isValid };
}

/** Returns when the first certificate of a chain ends, in Unix time. */
export function chainEndsAtMs(cert: string): number {
  const certificates = cert.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [cert];
  return Math.min(...certificates.map((pem) => Date.parse(new X509Certificate(pem).validTo)));
}

function findWarnings(
  leaf: X509Certificate,
  { certFile, nowMs }: { certFile: string; nowMs: number },
): string[] {
  const startsInMs = Date.parse(leaf.validFrom) - nowMs;
  const endsInMs = Date.parse(leaf.validTo) - nowMs;
  if (startsInMs > 0) return [`the certificate in ${certFile} is valid only from ${leaf.validFrom}`];
  if (endsInMs <= 0) return [`the certificate in ${certFile} expired on ${leaf.validTo}`];
  if (endsInMs < WARN_BEFORE_EXPIRY_MS) return [`the certificate in ${certFile} expires on ${leaf.validTo}`];
  return [];
}

function readPem(file: string, what: string): string {
  return attempt(() => readFileSync(file, 'utf8'), `the ${what} file ${file} cannot be read`);
}

function attempt<Value>(action: () => Value, message: string): Value {
  try {
    return action();
  } catch (cause) {
    throw new Error(message, { cause });
  }
}
