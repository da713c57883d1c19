import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import type { SignatureAlgorithm } from '../algorithms.ts';
import { type RequestSigner, signRequest } from '../node/sign-request.ts';
import { parseSignatures } from '../parse-signatures.ts';
import type { ParsedSignature } from '../parsed-signature.ts';
import type { SignedMessage } from '../signature-base.ts';

const RSA_KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const P256_KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const KEYS: Readonly<Record<SignatureAlgorithm, KeyPairKeyObjectResult>> = {
  'rsa-v1_5-sha256': RSA_KEYS,
  'rsa-pss-sha512': RSA_KEYS,
  'ecdsa-p256-sha256': P256_KEYS,
  ed25519: generateKeyPairSync('ed25519'),
};

export const BODY = Buffer.from('{"event_id":"evt_1"}');
export const NONCE = 'AAECAwQFBgcICQoLDA0ODw';

export function signerFor(
  algorithm: SignatureAlgorithm,
  overrides: Partial<RequestSigner> = {},
): RequestSigner {
  const { privateKey } = KEYS[algorithm];
  return { privateKey, algorithm, keyId: 'dev_1', tag: 'tps-event', ...overrides };
}

export function toMessage(
  headers: Readonly<Record<string, string>>,
  target: Partial<Omit<SignedMessage, 'header'>> = {},
): SignedMessage {
  return { method: 'POST', path: '/events', ...target, header: (name) => headers[name] };
}

/** Signs a POST of `BODY` to /events and returns what a verifier would receive. */
export async function signedMessage(signer: RequestSigner = signerFor('ed25519')): Promise<SignedMessage> {
  return toMessage(await signRequest({ method: 'POST', path: '/events', body: BODY }, signer));
}

/** Returns the only signature of a message. */
export function onlySignature(message: SignedMessage): ParsedSignature {
  const [signature, ...others] = parseSignatures(message);
  if (signature === undefined || others.length > 0) {
    throw new Error('expected one signature');
  }
  return signature;
}
