import { constants, hash, sign, verify } from 'node:crypto';
import type { SignatureAlgorithm, SignatureTag } from '@tps/signatures';
import { privateKeyOf, publicKeyOf } from './test-keys.ts';
import type { KeyName, SigningVectors, VectorKey, VectorRequest, VectorSignature } from './vectors.ts';

export interface Signer {
  readonly key: KeyName;
  readonly alg: SignatureAlgorithm;
  readonly keyid: string;
  readonly tag: SignatureTag;
  readonly label?: string;
  readonly created?: number;
  readonly nonce?: string;
  readonly components?: readonly string[];
}

export interface UnsignedRequest {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  readonly status?: number;
}

/** A mistake that a request is made with. */
export interface Mistake {
  readonly digestOf?: string;
  readonly toSigned?: (base: string) => string;
  /** An ECDSA signature as OpenSSL returns it. */
  readonly inDer?: true;
}

const PRIMITIVES = {
  'rsa-v1_5-sha256': { digest: 'sha256', options: {} },
  'rsa-pss-sha512': {
    digest: 'sha512',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 },
  },
  'ecdsa-p256-sha256': { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' as const } },
  ed25519: { digest: null, options: {} },
} as const;

/**
 * Returns a function that signs requests by the text of docs/signing-requests.md, without the code of the product. PSS and
 * ECDSA signatures are random, so those of the known file are kept as long as they fit.
 */
export function createVectorSigner(
  { created, keys }: { created: number; keys: Readonly<Record<KeyName, VectorKey>> },
  known: Partial<SigningVectors>,
) {
  const knownRequests = [...(known.requests ?? []), ...(known.refused_requests ?? [])];

  const signOnce = (request: UnsignedRequest, signer: Signer, digest: string, mistake: Mistake) => {
    const { key, alg, keyid, tag, label = 'tps' } = signer;
    const { components = ['@method', '@path', 'content-digest'] } = signer;
    const at = signer.created ?? created;
    const nonce = signer.nonce ?? nonceOf(`${request.name} ${label}`);
    const params = `(${components.map((name) => `"${name}"`).join(' ')});created=${at};nonce="${nonce}";keyid="${keyid}";alg="${alg}";tag="${tag}"`;
    const values: Record<string, string> = {
      '@method': 'POST',
      '@path': request.path,
      'content-digest': digest,
      'content-type': 'application/json',
    };
    const lines = components.map((name) => `"${name}": ${values[name]}\n`).join('');
    const base = `${lines}"@signature-params": ${params}`;
    const before = knownRequests
      .find(({ name }) => name === request.name)
      ?.signatures.find((each) => each.label === label && each.base === base)?.signature_b64;
    const signature_b64 = toSignature(base, { key: keys[key], alg }, { before, ...mistake });
    const parts = { label, key, alg, keyid, created: at, nonce, tag, components, base, signature_b64 };
    return { params, signature: parts satisfies VectorSignature };
  };

  return (
    request: UnsignedRequest,
    signers: Signer | readonly Signer[],
    mistake: Mistake = {},
  ): VectorRequest => {
    const digest = `sha-256=:${hash('sha256', mistake.digestOf ?? request.body, 'base64')}:`;
    const signed = [signers].flat().map((signer) => signOnce(request, signer, digest, mistake));
    return {
      name: request.name,
      method: 'POST',
      path: request.path,
      body: request.body,
      headers: {
        'content-digest': digest,
        'signature-input': signed.map(({ params, signature }) => `${signature.label}=${params}`).join(', '),
        signature: signed
          .map(({ signature }) => `${signature.label}=:${signature.signature_b64}:`)
          .join(', '),
      },
      signatures: signed.map(({ signature }) => signature),
      ...(request.status === undefined ? {} : { status: request.status }),
    };
  };
}

function toSignature(
  base: string,
  { key, alg }: { key: VectorKey; alg: SignatureAlgorithm },
  { before, toSigned = (text) => text, inDer }: Mistake & { before: string | undefined },
): string {
  const { digest, options } = PRIMITIVES[alg];
  const form = inDer ? {} : options;
  const bytes = Buffer.from(toSigned(base));
  const isKept =
    before !== undefined &&
    verify(digest, bytes, { key: publicKeyOf(key), ...form }, Buffer.from(before, 'base64'));
  return isKept ? before : sign(digest, bytes, { key: privateKeyOf(key), ...form }).toString('base64');
}

function nonceOf(text: string): string {
  return hash('sha256', text, 'buffer').subarray(0, 16).toString('base64url');
}
