import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deviceKeyFrom } from '@tps/agent';
import { type EventBatchResults, type EventContext, SCOPES } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import type { TenantId } from '@tps/server/store';
import { parseSignatures, type SignedMessage, signRequest, verifySignature } from '@tps/signatures';
import { codeOf } from '@tps/testing/device';
import type { TestAnswer } from '@tps/testing/service';
import { useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { beforeAll, describe, expect, test } from 'vitest';
import { privateKeyOf, publicKeyOf } from '../../../scripts/src/signing-vectors/test-keys.ts';
import type { SigningVectors, VectorRequest } from '../../../scripts/src/signing-vectors/vectors.ts';

const FILE = join(import.meta.dirname, '../../../docs/signing-vectors.json');
const vectors = readJson(readFileSync(FILE, 'utf8')) as SigningVectors;
const tenantId = vectors.tenant_id as TenantId;
const DEVICE = 'dev_vectors-ed25519';
const clock = new ManualClock(vectors.created * 1000);
const service = useTestService({ clock });
const answers = new Map<string, TestAnswer>();
let credential = '';

beforeAll(async () => {
  await service.service.database.transaction((tx) =>
    tx.db
      .insertInto('tenants')
      .values({ tenant_id: tenantId, name: 'Vectors', environment: 'live', created_at: clock.now() })
      .execute(),
  );
  credential = await service.createCredential(tenantId, SCOPES);
  for (const request of vectors.requests.filter(({ status }) => status !== undefined)) {
    answers.set(request.name, await send(request));
  }
});

/** Sends exactly the bytes and headers of the file. */
function send({ method, path, body, headers }: VectorRequest): Promise<TestAnswer> {
  return service.client.send(method, path, { credential, body, headers });
}

/** Sends an event of the Ed25519 device, in which `metadata` is these bytes. */
async function sendMetadata(eventId: string, metadata: Buffer): Promise<TestAnswer> {
  const event = { ...vectors.device_chain.at(-1)?.event, event_id: eventId };
  const body = Buffer.concat([
    Buffer.from(`${JSON.stringify(event).slice(0, -1)},"metadata":`),
    metadata,
    Buffer.from('}'),
  ]);
  const { privateKey, algorithm } = deviceKeyFrom(privateKeyOf(vectors.keys.ed25519), 'ed25519');
  const headers = await signRequest(
    { method: 'POST', path: '/events', body },
    { privateKey, algorithm, keyId: DEVICE, tag: 'tps-event', created: vectors.created },
  );
  return service.client.send('POST', '/events', { credential, body, headers });
}

async function contextOf(eventId: unknown): Promise<EventContext> {
  const { body } = await service.client.send('GET', `/events/${eventId}/context`, { credential });
  return body as EventContext;
}

describe('the vectors of docs/signing-vectors.json', () => {
  test.each(vectors.requests.filter(({ status }) => status !== undefined))(
    'the service accepts the request: $name',
    ({ name, status }) => {
      expect(answers.get(name)).toMatchObject({ status });
    },
  );

  test('a request to an address with a path has a valid signature', async () => {
    const [request] = vectors.requests.filter(({ status }) => status === undefined);
    const headers = { ...request?.headers, 'content-type': 'application/json' } as Record<string, string>;
    const message: SignedMessage = {
      method: 'POST',
      path: request?.path ?? '',
      header: (name) => headers[name],
    };
    const [signature] = parseSignatures(message);
    expect(signature?.base).toBe(request?.signatures[0]?.base);
    expect(signature && (await verifySignature(signature, publicKeyOf(vectors.keys.ed25519)))).toBe(true);
  });

  test.each(vectors.refused_requests)('the service refuses: $name', async ({ code, ...request }) => {
    const answer = await send(request);
    expect([answer.status, codeOf(answer)]).toEqual([request.status, code]);
  });

  test('the service refuses an accepted request that is sent again', async () => {
    const [request] = vectors.requests.filter(({ name }) => name === 'event with ed25519');
    const answer = request && (await send(request));
    expect(answer && [answer.status, codeOf(answer)]).toEqual([401, 'replayed_request']);
  });

  test('the service stores each event of the batch, with its state in the chain of the device', async () => {
    const batch = answers.get('batch')?.body as EventBatchResults | undefined;
    expect(batch?.results.map(({ status }) => status)).toEqual(vectors.device_chain.map(() => 201));
    for (const { event, state, name } of vectors.device_chain) {
      const { device_chain } = await contextOf(event.event_id);
      expect({ name, state: device_chain.state }).toEqual({ name, state });
    }
  });

  test('the service stores the texts, and has the hashes, of the chain of the feed', async () => {
    let previous = vectors.feed_chain.start;
    for (const { event_id, stored, event_hash, chain_hash } of vectors.feed_chain.events) {
      const { text } = await service.client.send('GET', `/events/${event_id}`, { credential });
      expect(text).toBe(stored);
      const { feed_chain } = await contextOf(event_id);
      expect(feed_chain).toEqual({ event_hash, chain_hash, previous_chain_hash: previous });
      previous = chain_hash;
    }
  });

  test.each(vectors.canonical_json)(
    'the service stores in canonical form: $name',
    async ({ name, json, canonical }) => {
      const eventId = `evt_canonical-${vectors.canonical_json.findIndex((each) => each.name === name)}`;
      const { status, text } = await sendMetadata(eventId, Buffer.from(json));
      expect(status, text).toBe(201);
      expect(text).toContain(`"metadata":${canonical},`);
    },
  );

  test.each(vectors.refused_json)('the service refuses JSON: $name', async ({ metadata_b64, code }) => {
    const answer = await sendMetadata('evt_refused', Buffer.from(metadata_b64, 'base64'));
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
  });
});
