import { hash } from 'node:crypto';
import { redactEvent } from '@tps/detection';
import type { SignatureAlgorithm } from '@tps/signatures';
import canonicalize from 'canonicalize';
import { chainEvents } from './chain-events.ts';
import { listCanonicalCases, listRefusedJson } from './json-cases.ts';
import { createVectorSigner, type Mistake, type Signer, type UnsignedRequest } from './sign-vector.ts';
import { keepTestKeys } from './test-keys.ts';
import type { FeedChain, KeyName, RefusedRequest, SigningVectors, VectorRequest } from './vectors.ts';

const TENANT = 'tnt_vectors';
/** 2026-01-01T00:00:00Z. */
const CREATED = 1_767_225_600;
const TIMESTAMP = '2026-01-01T00:00:00.000Z';
const ABOUT =
  'Test vectors of docs/device-protocol.md. The private keys are public: TEST KEYS, never use them for a device.';

/** One device for each algorithm. */
const DEVICES: readonly { device: string; key: KeyName; alg: SignatureAlgorithm }[] = [
  { device: 'dev_vectors-rsa-v1_5', key: 'rsa', alg: 'rsa-v1_5-sha256' },
  { device: 'dev_vectors-rsa-pss', key: 'rsa', alg: 'rsa-pss-sha512' },
  { device: 'dev_vectors-p256', key: 'p256', alg: 'ecdsa-p256-sha256' },
  { device: 'dev_vectors-ed25519', key: 'ed25519', alg: 'ed25519' },
];

type VectorSigner = ReturnType<typeof createVectorSigner>;

/** Builds the file. Keys and random signatures of the known file are kept, so that building again changes nothing. */
export function buildVectors(known: Partial<SigningVectors>): SigningVectors {
  const keys = keepTestKeys(known.keys ?? {});
  const sign = createVectorSigner({ created: CREATED, keys }, known);
  const register = ({ device, key, alg }: (typeof DEVICES)[number]) => {
    const name = `registration with ${alg}`;
    const body = {
      tenant_id: TENANT,
      device_id: device,
      platform: 'linux',
      public_key_b64: keys[key].public_key_b64,
    };
    const request = { name, path: '/devices', body: JSON.stringify(body), status: 201 };
    return sign(request, { key, alg, keyid: device, tag: 'tps-register' });
  };
  const device_chain = chainEvents({
    tenant_id: TENANT,
    device_id: 'dev_vectors-ed25519',
    timestamp: TIMESTAMP,
  });
  const events = DEVICES.map(({ device, alg }) => singleEvent(device, alg));
  return {
    about: ABOUT,
    tenant_id: TENANT,
    created: CREATED,
    keys,
    requests: [
      ...DEVICES.map(register),
      ...DEVICES.map(({ device, key, alg }, index) => {
        // This body has white space and text that is not ASCII: its bytes are signed as they are.
        const body = JSON.stringify(events[index], undefined, alg === 'rsa-pss-sha512' ? 2 : 0);
        const request = { name: `event with ${alg}`, path: '/events', body, status: 201 };
        return sign(request, { key, alg, keyid: device, tag: 'tps-event' });
      }),
      ...ofTheEd25519Device(
        sign,
        device_chain.map(({ event }) => event),
      ),
      rotation(sign, keys['ed25519-next'].public_key_b64),
    ],
    refused_requests: refusedRequests(sign),
    device_chain,
    feed_chain: chainFeed([...events, ...device_chain.map(({ event }) => event)]),
    canonical_json: listCanonicalCases(),
    refused_json: listRefusedJson(),
  };
}

function singleEvent(device_id: string, alg: string): Record<string, unknown> {
  return {
    event_id: `evt_vectors-${alg}`,
    type: 'risk.event.created',
    timestamp: TIMESTAMP,
    tenant_id: TENANT,
    device_id,
    threat_category: 'phishing',
    confidence: 0.97,
    action_taken: 'block',
    policy_id: 'pol_example',
    severity: 'high',
    description: 'A page that copies a bank – größer als 100 €',
  };
}

function ofTheEd25519Device(sign: VectorSigner, events: readonly object[]): VectorRequest[] {
  const signer = { key: 'ed25519', alg: 'ed25519', keyid: 'dev_vectors-ed25519' } as const;
  const batch = { name: 'batch', path: '/events/batch', body: JSON.stringify({ events }), status: 200 };
  const renewal = {
    name: 'credential renewal',
    path: '/devices/dev_vectors-ed25519/credential',
    body: JSON.stringify({ tenant_id: TENANT }),
    status: 201,
  };
  const prefixed = {
    name: 'event to an address with a path, and a further covered header',
    path: '/tps/events',
    body: JSON.stringify({ ...singleEvent(signer.keyid, 'prefixed') }),
  };
  const components = ['@method', '@path', 'content-digest', 'content-type'];
  return [
    sign(batch, { ...signer, tag: 'tps-event' }),
    sign(renewal, { ...signer, tag: 'tps-renew' }),
    sign(prefixed, { ...signer, tag: 'tps-event', components }),
  ];
}

/** The device also changes its algorithm. */
function rotation(sign: VectorSigner, public_key_b64: string): VectorRequest {
  const keyid = 'dev_vectors-rsa-v1_5';
  const request = {
    name: 'key rotation',
    path: `/devices/${keyid}/keys`,
    body: JSON.stringify({ tenant_id: TENANT, public_key_b64 }),
    status: 200,
  };
  return sign(request, [
    { label: 'old', key: 'rsa', alg: 'rsa-v1_5-sha256', keyid, tag: 'tps-rotate' },
    { label: 'new', key: 'ed25519-next', alg: 'ed25519', keyid, tag: 'tps-rotate' },
  ]);
}

/** Requests with one mistake each. They are refused after the requests above were accepted. */
function refusedRequests(sign: VectorSigner): RefusedRequest[] {
  const p256 = {
    key: 'p256',
    alg: 'ecdsa-p256-sha256',
    keyid: 'dev_vectors-p256',
    tag: 'tps-event',
  } as const;
  const ed25519 = { key: 'ed25519', alg: 'ed25519', keyid: 'dev_vectors-ed25519', tag: 'tps-event' } as const;
  const refuse = (
    name: string,
    { signer = ed25519, code = 'invalid_signature', status = 401, ...mistake }: Refusal = {},
  ): RefusedRequest => {
    const body = JSON.stringify(singleEvent(signer.keyid, 'refused'));
    const request: UnsignedRequest = { name, path: '/events', body };
    return { ...sign(request, signer, mistake), status, code };
  };
  return [
    refuse('an ECDSA signature in DER', { signer: p256, inDer: true }),
    refuse('the digest of another body', { digestOf: '{}' }),
    refuse('a line feed after the last line of the base', { toSigned: (base) => `${base}\n` }),
    refuse('another path in the base', { toSigned: (base) => base.replace('/events', '/tps/events') }),
    refuse('the tag of another operation', { signer: { ...ed25519, tag: 'tps-register' } }),
    refuse('no digest in the signature', { signer: { ...ed25519, components: ['@method', '@path'] } }),
    refuse('a nonce of 8 bytes', { signer: { ...ed25519, nonce: 'AAECAwQFBgc' } }),
    refuse('301 seconds old', { signer: { ...ed25519, created: CREATED - 301 } }),
    refuse('61 seconds ahead', { signer: { ...ed25519, created: CREATED + 61 } }),
    refuse('another key', { signer: { ...ed25519, key: 'ed25519-next' } }),
    refuse('the key before the rotation', {
      signer: { key: 'rsa', alg: 'rsa-v1_5-sha256', keyid: 'dev_vectors-rsa-v1_5', tag: 'tps-event' },
    }),
    refuse('a device that is not registered', {
      signer: { ...ed25519, keyid: 'dev_vectors-unknown' },
      status: 403,
      code: 'device_not_registered',
    }),
  ];
}

interface Refusal extends Mistake {
  readonly signer?: Signer;
  readonly status?: number;
  readonly code?: string;
}

/** Writes the file in ASCII, so that no editor or terminal changes what the cases contain. */
export function toText(vectors: SigningVectors): string {
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(vectors, undefined, 2).replaceAll(/[\u007f-\uffff]/g, toEscape)}\n`;
}

/** What the service stores of the events, in the order in which they are sent. */
function chainFeed(events: readonly Readonly<Record<string, unknown>>[]): FeedChain {
  const start = Buffer.alloc(32);
  let end: Buffer = start;
  const sha256 = (data: string | Buffer) => hash('sha256', data, 'buffer');
  return {
    start: start.toString('hex'),
    events: events.map((event) => {
      const timestamp = new Date(String(event.timestamp)).toISOString();
      const stored = canonicalize(redactEvent({ ...event, timestamp } as never)) ?? '';
      const eventHash = sha256(stored);
      end = sha256(Buffer.concat([end, eventHash]));
      const hashes = { event_hash: eventHash.toString('hex'), chain_hash: end.toString('hex') };
      return { event_id: String(event.event_id), stored, ...hashes };
    }),
  };
}
