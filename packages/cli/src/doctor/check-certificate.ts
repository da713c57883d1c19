import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, connect, type DetailedPeerCertificate } from 'node:tls';
import { countOf } from '@tps/contract/vocabulary';
import { type CheckResult, fail, ok, warn } from './check-result.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** Automatic renewal happens a month before the end; two weeks before it, something is wrong. */
const WARN_DAYS = 14;

interface ServedCertificate {
  readonly certificate: DetailedPeerCertificate;
  /** The reason why the chain is not trusted. */
  readonly untrusted: string | undefined;
}

/** Checks the certificate of an https address: its validity, its chain and its name. */
export async function checkCertificate({ hostname, port }: URL, nowMs: number): Promise<CheckResult[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const served = await handshake(host, Number(port || 443)).catch((error: Error) => error);
  if (served instanceof Error) {
    return [
      fail(
        'tls',
        `The TLS handshake failed: ${served.message}.`,
        'Check that the address is https and that the server supports TLS 1.2 or 1.3.',
      ),
    ];
  }
  const { certificate, untrusted } = served;
  const mismatch = checkServerIdentity(host, certificate);
  return [
    checkValidity('tls validity', new X509Certificate(certificate.raw), nowMs),
    untrusted === undefined
      ? ok('tls trust', 'The chain ends in an authority that this machine trusts.')
      : fail(
          'tls trust',
          `The chain is not trusted (${untrusted}).`,
          'Serve the whole chain. For a private authority, set NODE_EXTRA_CA_CERTS to its certificate.',
        ),
    mismatch === undefined
      ? ok('tls name', `The certificate is for ${host}.`)
      : fail(
          'tls name',
          `The certificate is not for ${host}.`,
          'Use a name of the certificate, or issue one for this name.',
        ),
  ];
}

/** Checks the validity period of a certificate. */
export function checkValidity(
  check: string,
  { validFrom, validTo }: X509Certificate,
  nowMs: number,
): CheckResult {
  const days = Math.floor((Date.parse(validTo) - nowMs) / DAY_MS);
  const renew = 'Renew it. The service reads the new files automatically.';
  if (Date.parse(validFrom) > nowMs) {
    return fail(check, `The certificate is not valid before ${validFrom}.`, 'Set the clock, or wait.');
  }
  if (days < 0) return fail(check, `The certificate expired on ${validTo}.`, renew);
  if (days < WARN_DAYS) return warn(check, `The certificate expires in ${countOf(days, 'day')}.`, renew);
  return ok(check, `The certificate is valid for ${countOf(days, 'more day')}.`);
}

/** Completes a handshake without verification, and sends nothing. */
function handshake(host: string, port: number): Promise<ServedCertificate> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? {} : { servername: host };
    const socket = connect(
      { host, port, rejectUnauthorized: false, timeout: TIMEOUT_MS, ...servername },
      () => {
        const certificate = socket.getPeerCertificate(true);
        // This is about the chain only: the name and the validity are checked separately.
        const code = String(socket.authorizationError ?? '');
        const isChain =
          !socket.authorized && !['ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'].includes(code);
        resolve({ certificate, untrusted: isChain ? code : undefined });
        socket.destroy();
      },
    );
    socket.once('timeout', () => socket.destroy(new Error('no response within 10 seconds')));
    socket.once('error', reject);
  });
}
