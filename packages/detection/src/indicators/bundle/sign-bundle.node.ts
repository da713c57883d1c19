import { createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { BUNDLE_TYPE } from './bundle.ts';
import { type IndicatorBundle, writeBundle } from './bundle-payload.ts';
import { type DsseEnvelope, preAuthenticationEncoding } from './dsse.ts';

/** Signs a bundle with an Ed25519 key. The same indicators in another order give the same envelope. */
export function signBundle(bundle: IndicatorBundle, privateKey: KeyObject): DsseEnvelope {
  return signEnvelope(BUNDLE_TYPE, Buffer.from(writeBundle(bundle)), {
    privateKey,
    keyid: keyIdOf(createPublicKey(privateKey)),
  });
}

/** Returns the id of a public key: SHA-256 of its SubjectPublicKeyInfo in DER, in hex. */
export function keyIdOf(publicKey: KeyObject): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return hash('sha256', spki, 'hex');
}

/** Signs with an Ed25519 key. */
export function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  { privateKey, keyid }: { readonly privateKey: KeyObject; readonly keyid: string },
): DsseEnvelope {
  const signature = sign(null, preAuthenticationEncoding(payloadType, payload), privateKey);
  return {
    payloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid, sig: signature.toString('base64') }],
  };
}
