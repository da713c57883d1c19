import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { type BareItem, serializeDictionary, serializeInnerList } from 'structured-headers';
import { algorithmsFor, PRIMITIVES, type SignatureAlgorithm } from './algorithms.ts';
import { contentDigest } from './content-digest.ts';
import { NONCE_BYTES, REQUIRED_COMPONENTS, type SignatureTag } from './profile.ts';
import { type SignedMessage, signatureBase } from './signature-base.ts';
import { SignatureError } from './signature-error.ts';

/** What is about to be sent. */
export interface RequestToSign extends Omit<SignedMessage, 'header'> {
  /** The bytes that will be sent, not a value that will be serialised again. */
  readonly body: Uint8Array;
  /** Needed only for header fields that a signer covers. Names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Signs bytes with a key that stays where it is, such as in hardware, in the form that RFC 9421 §3.3 asks for. */
export type SignBytes = (bytes: Uint8Array) => Promise<Uint8Array>;

export interface RequestSigner {
  /** The key, or what signs with it. */
  readonly privateKey: KeyObject | SignBytes;
  readonly algorithm: SignatureAlgorithm;
  readonly keyId: string;
  readonly tag: SignatureTag;
  /** `tps` unless told otherwise. Each signer of one request needs its own. */
  readonly label?: string;
  /** Unix seconds; now unless told otherwise. */
  readonly created?: number;
  /** Fresh random bytes unless told otherwise. A nonce is accepted once. */
  readonly nonce?: string;
  /** All covered components, in order. A service refuses a list that lacks one of `REQUIRED_COMPONENTS`, the default. */
  readonly components?: readonly string[];
}

/** The headers to send along with the body. A type alias, so that it can be spread into any header record. */
export type SignatureHeaders = {
  readonly 'content-digest': string;
  readonly 'signature-input': string;
  readonly signature: string;
};

/**
 * Signs a request once for each signer (RFC 9421 §3.1) and digests its body (RFC 9530). Private-key work runs on
 * the thread pool.
 *
 * @throws SignatureError when an algorithm does not fit its key, two signers share a label, or a covered component
 *   is not in the request
 */
export async function signRequest(
  request: RequestToSign,
  signers: RequestSigner | readonly RequestSigner[],
): Promise<SignatureHeaders> {
  const digest = contentDigest(request.body);
  const headers = new Map(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  headers.set('content-digest', digest);
  const message: SignedMessage = { ...request, header: (name) => headers.get(name) };

  const signed = await Promise.all([signers].flat().map((signer) => signOnce(message, signer)));
  if (signed.length === 0 || new Set(signed.map(({ label }) => label)).size !== signed.length) {
    throw new SignatureError('A request needs at least one signer, and each needs a label of its own.');
  }
  return {
    'content-digest': digest,
    'signature-input': signed.map(({ label, params }) => `${label}=${params}`).join(', '),
    signature: serializeDictionary(new Map(signed.map(({ label, value }) => [label, [value, new Map()]]))),
  };
}

async function signOnce(message: SignedMessage, signer: RequestSigner) {
  const { privateKey, algorithm, label = 'tps', components = REQUIRED_COMPONENTS } = signer;
  const sign = typeof privateKey === 'function' ? privateKey : signWith(privateKey, algorithm);
  const params = serializeInnerList([components.map((name) => [name, new Map()]), parametersOf(signer)]);
  const base = signatureBase(message, components, params);
  return { label, params, value: await sign(Buffer.from(base, 'latin1')) };
}

function parametersOf(signer: RequestSigner): Map<string, BareItem> {
  return new Map<string, BareItem>([
    ['created', signer.created ?? Math.floor(Date.now() / 1000)],
    ['nonce', signer.nonce ?? randomBytes(NONCE_BYTES).toString('base64url')],
    ['keyid', signer.keyId],
    ['alg', signer.algorithm],
    ['tag', signer.tag],
  ]);
}

/**
 * Gives what signs with a key that lies in memory. The work runs on the thread pool.
 *
 * @throws SignatureError when the algorithm does not fit the key
 */
export function signWith(privateKey: KeyObject, algorithm: SignatureAlgorithm): SignBytes {
  if (privateKey.type !== 'private' || !algorithmsFor(privateKey).includes(algorithm)) {
    throw new SignatureError(`The algorithm ${algorithm} does not fit the signing key.`);
  }
  const { digest, options } = PRIMITIVES[algorithm];
  return (bytes) =>
    new Promise((resolve, reject) => {
      sign(digest, bytes, { key: privateKey, ...options }, (error, value) => {
        if (error) {
          reject(error);
        } else {
          resolve(value);
        }
      });
    });
}
