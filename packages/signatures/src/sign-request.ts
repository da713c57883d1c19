import { type BareItem, serializeDictionary, serializeInnerList } from 'structured-headers';
import { toBase64 } from '#bytes';
import type { SignatureAlgorithm } from './algorithms.ts';
import { contentDigest } from './content-digest.ts';
import { NONCE_BYTES, REQUIRED_COMPONENTS, type SignatureTag } from './profile.ts';
import { buildSignatureBase, type SignedMessage } from './signature-base.ts';
import { SignatureError } from './signature-error.ts';

/** The base is ASCII. */
const encoder = new TextEncoder();

/** A request to be signed and sent. */
export interface RequestToSign extends Omit<SignedMessage, 'header'> {
  /** The exact bytes that will be sent. */
  readonly body: Uint8Array;
  /** The header fields that a signer covers beyond the digest. Names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Signs bytes with a key that need not be in memory, such as one in hardware, in the form of RFC 9421 §3.3. */
export type SignBytes = (bytes: Uint8Array) => Promise<Uint8Array>;

/** A key that signs a request, with the parameters of its signature. */
export interface RequestSigner {
  /** Signs with the key. */
  readonly privateKey: SignBytes;
  readonly algorithm: SignatureAlgorithm;
  readonly keyId: string;
  readonly tag: SignatureTag;
  /** Default `tps`. Each signer of one request needs a different label. */
  readonly label?: string;
  /** Unix seconds (default: now). */
  readonly created?: number;
  /** Default: 16 random bytes. A service accepts a nonce once. */
  readonly nonce?: string;
  /** The covered components, in order (default `REQUIRED_COMPONENTS`). The service requires all of the default. */
  readonly components?: readonly string[];
}

/** The headers to send with the body. A type alias, so that it can be spread into any header record. */
export type SignatureHeaders = {
  readonly 'content-digest': string;
  readonly 'signature-input': string;
  readonly signature: string;
};

/**
 * Signs a request once per signer (RFC 9421 §3.1) and digests its body (RFC 9530).
 *
 * @throws SignatureError when two signers share a label, or a covered component is not in the request
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
    throw new SignatureError('A request needs at least one signer, and each signer a different label.');
  }
  return {
    'content-digest': digest,
    'signature-input': signed.map(({ label, params }) => `${label}=${params}`).join(', '),
    signature: serializeDictionary(new Map(signed.map(({ label, value }) => [label, [value, new Map()]]))),
  };
}

async function signOnce(message: SignedMessage, signer: RequestSigner) {
  const { privateKey, label = 'tps', components = REQUIRED_COMPONENTS } = signer;
  const params = serializeInnerList([components.map((name) => [name, new Map()]), toParameters(signer)]);
  const base = buildSignatureBase(message, components, params);
  return { label, params, value: Uint8Array.from(await privateKey(encoder.encode(base))) };
}

function toParameters(signer: RequestSigner): Map<string, BareItem> {
  return new Map<string, BareItem>([
    ['created', signer.created ?? Math.floor(Date.now() / 1000)],
    ['nonce', signer.nonce ?? newNonce()],
    ['keyid', signer.keyId],
    ['alg', signer.algorithm],
    ['tag', signer.tag],
  ]);
}

/** In base64url without padding (RFC 4648 §5). */
function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
