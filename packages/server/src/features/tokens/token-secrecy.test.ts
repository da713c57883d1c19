import type { CreatedToken } from '@tps/contract';
import { useTestService } from '@tps/testing/service';
import { dumpStore, holdsText } from '@tps/testing/store';
import { beforeAll, expect, test } from 'vitest';

let made: CreatedToken & { token: string };
let rolled: CreatedToken & { token: string };
const answers: string[] = [];
const service = useTestService();

beforeAll(async () => {
  const body = { name: 'secret keeper', scopes: ['tokens:write', 'tokens:read'] };
  const headers = { 'idempotency-key': 'once' };
  made = (await send('POST', '/tokens', { body, headers })).body as typeof made;
  rolled = (await send('POST', `/tokens/${made.token_id}/roll`, { body: { grace_s: 60 } }))
    .body as typeof rolled;
  answers.length = 0;
  await send('POST', '/tokens', { body, headers });
  for (const path of ['/tokens', '/tokens/audit', '/status']) await send('GET', path);
  for (const { token_id: id } of [made, rolled]) {
    await send('GET', `/tokens/${id}`);
    await send('GET', `/tokens/${id}/audit`);
  }
  await send('DELETE', `/tokens/${rolled.token_id}`);
});

async function send(
  method: string,
  path: string,
  request: { body?: object; headers?: Record<string, string> } = {},
) {
  const { credential } = service.tenant;
  const answer = await service.client.send(method, path, { credential, ...request });
  answers.push(`${answer.text} ${JSON.stringify([...answer.headers])}`);
  return answer;
}

/** The random part, which only the holder knows; the hint shows its last four characters. */
const secretPartOf = (credential: string) => credential.slice('svc_live_'.length, -4);

test('a credential is only in the response that created it', () => {
  expect(answers.length).toBeGreaterThan(7);
  for (const credential of [made.token, rolled.token]) {
    for (const answer of answers) expect(answer).not.toContain(secretPartOf(credential));
  }
});

test('a credential is not in the log', () => {
  expect(service.log()).toContain('"operation":"createToken"');
  for (const credential of [
    made.token,
    rolled.token,
    service.tenant.credential,
    service.operatorCredential,
  ]) {
    expect(service.log()).not.toContain(secretPartOf(credential));
  }
});

test('a credential is nowhere in the store, only its metadata', async () => {
  const dump = await dumpStore(service.store);
  expect(dump.includes('secret keeper')).toBe(true);
  for (const credential of [
    made.token,
    rolled.token,
    service.tenant.credential,
    service.operatorCredential,
  ]) {
    // Not `toContain`, whose message would print the whole store.
    expect(holdsText(dump, secretPartOf(credential))).toBe(false);
    expect(holdsText(dump, credential)).toBe(false);
  }
});
