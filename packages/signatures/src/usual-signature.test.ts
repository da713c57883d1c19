import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SIGNATURE_ALGORITHMS } from './algorithms.ts';
import { parseAnySignatures } from './parse-signatures.ts';
import { SIGNATURE_TAGS } from './profile.ts';
import type { SignedMessage } from './signature-base.ts';
import { SignatureError } from './signature-error.ts';
import { signedMessage, signerFor, toMessage } from './testing/signed-request.ts';
import { readUsualSignature } from './usual-signature.ts';

const NAMES = ['signature-input', 'signature', 'content-digest'];

async function genuineHeaders(): Promise<Record<string, string>> {
  const genuine = await signedMessage();
  return Object.fromEntries(NAMES.map((name) => [name, genuine.header(name) ?? '']));
}

/** Returns the signature with its value as plain bytes, or the message of the error. */
function outcomeOf(parse: () => ReturnType<typeof readUsualSignature>): unknown {
  try {
    const signature = parse();
    return signature && { ...signature, value: [...signature.value] };
  } catch (error) {
    expect(error).toBeInstanceOf(SignatureError);
    return (error as SignatureError).message;
  }
}

function expectSameOutcome(message: SignedMessage): void {
  const usual = outcomeOf(() => readUsualSignature(message));
  if (usual !== undefined) expect(usual).toEqual(outcomeOf(() => parseAnySignatures(message)[0]));
}

test('what signRequest writes is the usual form, for each algorithm and purpose', async () => {
  for (const algorithm of SIGNATURE_ALGORITHMS) {
    for (const tag of SIGNATURE_TAGS) {
      const message = await signedMessage(signerFor(algorithm, { tag, label: 'old', keyId: 'dev_a b~.-_!' }));
      expect(readUsualSignature(message)).toMatchObject({ algorithm, tag, label: 'old' });
      expectSameOutcome(message);
    }
  }
});

test('for headers in the usual form the full parser returns the same', async () => {
  const { 'content-digest': digest = '' } = await genuineHeaders();
  const base64 = fc
    .uint8Array({ minLength: 1, maxLength: 80 })
    .map((bytes) => Buffer.from(bytes).toString('base64'));
  const parts = fc.record({
    label: fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,64}$/),
    created: fc.oneof(fc.nat().map(String), fc.stringMatching(/^[0-9]{1,17}$/)),
    nonce: fc.stringMatching(/^[A-Za-z0-9_-]{21,129}$/),
    keyId: fc.string({ unit: 'grapheme-ascii', maxLength: 130 }),
    algorithm: fc.constantFrom(...SIGNATURE_ALGORITHMS, 'hmac-sha256'),
    tag: fc.constantFrom(...SIGNATURE_TAGS, 'other'),
    value: fc.oneof(base64, fc.stringMatching(/^[A-Za-z0-9+/]{4,12}={0,3}$/)),
  });
  fc.assert(
    fc.property(parts, ({ label, created, nonce, keyId, algorithm, tag, value }) => {
      expectSameOutcome(
        toMessage({
          'content-digest': digest,
          'signature-input': `${label}=("@method" "@path" "content-digest");created=${created};nonce="${nonce}";keyid="${keyId}";alg="${algorithm}";tag="${tag}"`,
          signature: `${label}=:${value}:`,
        }),
      );
    }),
    { numRuns: 3000 },
  );
});

test('for a genuine header with a part replaced the full parser returns the same', async () => {
  const headers = await genuineHeaders();
  const edits = fc.tuple(
    fc.constantFrom(...NAMES),
    fc.nat(250),
    fc.nat(3),
    fc.string({ unit: 'grapheme-ascii', maxLength: 2 }),
  );
  fc.assert(
    fc.property(edits, ([name, at, length, inserted]) => {
      const header = headers[name] ?? '';
      const edited = header.slice(0, at) + inserted + header.slice(at + length);
      expectSameOutcome(toMessage({ ...headers, [name]: edited }));
    }),
    { numRuns: 3000 },
  );
});

test('a value that cannot be signed is refused with the same message', async () => {
  const headers = await genuineHeaders();
  expectSameOutcome(toMessage(headers, { path: '/events\n' }));
  expectSameOutcome(toMessage({ ...headers, 'content-digest': 'sha-256=:é:' }));
  const { 'content-digest': _, ...withoutDigest } = headers;
  expectSameOutcome(toMessage(withoutDigest));
});
