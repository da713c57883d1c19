import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, connect, type DetailedPeerCertificate } from 'node:tls';
import { type CheckResult, fail, ok, warn } from './check-result.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** Authorities that renew by themselves do it a month before the end; two weeks before, something is wrong. */
const WARN_DAYS = 14;

interface Served {
  readonly certificate: DetailedPeerCertificate;
  /** Why the chain is not trusted. */
  readonly untrusted: string | undefined;
}

/** Looks at the certificate of an https address: how long it is valid, for which names, and who vouches for it. */
export async function checkCertificate({ hostname, port }: URL, nowMs: number): Promise<CheckResult[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const served = await handshake(host, Number(port || 443)).catch((error: Error) => error);
  if (served instanceof Error) {
    return [
      fail(
        'tls',
        `No TLS handshake: ${served.message}.`,
        'Is this an https address, and TLS 1.2 or 1.3 spoken there?',
      ),
    ];
  }
  const { certificate, untrusted } = served;
  const mismatch = checkServerIdentity(host, certificate);
  return [
    checkValidity('tls validity', new X509Certificate(certificate.raw), nowMs),
    untrusted === undefined
      ? ok('tls trust', 'The chain leads to an authority that this machine trusts.')
      : fail(
          'tls trust',
          `The chain is not trusted (${untrusted}).`,
          'Serve the whole chain; for an authority of your own set NODE_EXTRA_CA_CERTS to its certificate.',
        ),
    mismatch === undefined
      ? ok('tls name', `The certificate is for ${host}.`)
      : fail(
          'tls name',
          `The certificate is not for ${host}.`,
          'Use a name it is for, or have one issued for this.',
        ),
  ];
}

/** Tells how long a certificate is valid. */
export function checkValidity(
  check: string,
  { validFrom, validTo }: X509Certificate,
  nowMs: number,
): CheckResult {
  const days = Math.floor((Date.parse(validTo) - nowMs) / DAY_MS);
  const renew = 'Renew it; the service reads the new files by itself.';
  if (Date.parse(validFrom) > nowMs) {
    return fail(check, `The certificate is not valid before ${validFrom}.`, 'Set the clock, or wait.');
  }
  if (days < 0) return fail(check, `The certificate ended on ${validTo}.`, renew);
  if (days < WARN_DAYS) return warn(check, `The certificate ends in ${days} days.`, renew);
  return ok(check, `The certificate is valid for ${days} more days.`);
}

/** Completes a handshake with whoever answers, and sends nothing. */
function handshake(host: string, port: number): Promise<Served> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? {} : { servername: host };
    const socket = connect(
      { host, port, rejectUnauthorized: false, timeout: TIMEOUT_MS, ...servername },
      () => {
        const certificate = socket.getPeerCertificate(true);
        // Names are checked apart; here it is the chain, and an end of validity is told apart, too.
        const code = String(socket.authorizationError ?? '');
        const isChain =
          !socket.authorized && !['ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'].includes(code);
        resolve({ certificate, untrusted: isChain ? code : undefined });
        socket.destroy();
      },
    );
    socket.once('timeout', () => socket.destroy(new Error('no answer within ten seconds')));
    socket.once('error', reject);
  });
}
