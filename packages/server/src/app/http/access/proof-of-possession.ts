import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import { DPOP_ALGORITHMS, readDpopProof } from '../../../platform/crypto/dpop-proof.ts';
import type { Caller } from '../../../platform/http/route.ts';
import { invalidCredentials } from '../../../platform/service-error.ts';
import type { PresentedCredential } from './request-credential.ts';

/** How far the clocks of client and service may differ. */
const WINDOW_S = 60;
/** The challenge for a client whose proof was refused (RFC 9449, section 7.1). */
export const DPOP_CHALLENGE = `DPoP error="invalid_dpop_proof", algs="${DPOP_ALGORITHMS.join(' ')}"`;

export interface ProofParts {
  readonly clock: Clock;
  /** The address of the API as clients call it, with the prefix that a proxy in front adds to every path. */
  readonly apiUrl: () => string;
  /** Notes a proof. Returns false for a repeated one. */
  readonly isNewProof: (proof: { thumbprint: string; jti: string; expiresAtMs: number }) => Promise<boolean>;
}

/**
 * Requires a proof of possession for a token that is bound to a key, and refuses such a token as a bearer token (RFC 9449,
 * sections 7.1 and 7.2).
 * @throws ServiceError `invalid_credentials`
 */
export async function requirePossession(
  parts: ProofParts,
  { raw, method, url }: FastifyRequest,
  { caller, presented }: { caller: Caller; presented: PresentedCredential },
): Promise<void> {
  const bound = caller.issued?.keyThumbprint ?? null;
  const isProven = presented.scheme === 'DPoP';
  if (bound === null && !isProven) return;
  if (bound === null || !isProven) throw invalidCredentials();
  // Node joins repeated headers with a comma, which no proof contains.
  const header = raw.headers.dpop;
  const proof = readDpopProof(typeof header === 'string' ? header : '');
  const nowMs = parts.clock.now();
  // Undefined for a request target in absolute form.
  const address = toAddress(`${parts.apiUrl()}${url}`);
  const isValid =
    proof?.thumbprint === bound &&
    proof.htm === method &&
    address !== undefined &&
    toAddress(proof.htu) === address &&
    Math.abs(nowMs / 1000 - proof.iat) <= WINDOW_S &&
    proof.ath === hash('sha256', presented.credential, 'base64url');
  if (!isValid) throw invalidCredentials();
  // Noted last, so that a refused request does not use up the proof of another one.
  const { thumbprint, jti } = proof;
  const expiresAtMs = (proof.iat + 2 * WINDOW_S) * 1000;
  if (!(await parts.isNewProof({ thumbprint, jti, expiresAtMs }))) throw invalidCredentials();
}

/** An address without query and fragment, in its normal form. */
function toAddress(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? url.origin + url.pathname : undefined;
}
