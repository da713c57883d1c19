import type { Webhook } from '@tps/contract';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expect, test } from 'vitest';

const URL = 'http://127.0.0.1:9/hook';

const service = useTestService({ env: WEBHOOK_ENV });

const standard = (bytes: number, fill = 251) => `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`;

function send(path: string, secret: string) {
  const body = path === '' ? { url: URL, secret } : { secret };
  return service.client.send('POST', `/webhooks${path}`, { credential: service.tenant.credential, body });
}

async function create(secret = 'a-secret-of-the-tests-0123456789'): Promise<string> {
  const answer = await send('', secret);
  expect(answer.status, answer.text).toBe(201);
  return `/${(answer.body as Webhook).webhook_id}/rotate-secret`;
}

test.each([24, 25, 26, 63, 64])('a whsec_ secret of %d bytes is accepted, as libraries do', async (bytes) => {
  const secret = standard(bytes);
  expect(() => new StandardWebhook(secret)).not.toThrow();
  const rotation = await create(secret);
  expect((await send(rotation, standard(bytes, 7))).status).toBe(200);
});

test.each([
  ['has other characters', 'whsec_!!!not*base64***'],
  ['is Base64url', standard(24).replaceAll('+', '-').replaceAll('/', '_')],
  ['is cut short', standard(27).slice(0, -1)],
  ['has no padding', standard(25).replaceAll('=', '')],
  ['has too much padding', `${standard(24)}====`],
  ['has unused bits that are not zero', `whsec_${'A'.repeat(33)}B==`],
  ['has 23 bytes', standard(23)],
  ['has 65 bytes', standard(65)],
  ['has no key', 'whsec_'.padEnd(16, '=')],
])('a whsec_ secret that %s is rejected, for a new webhook and a rotation', async (_what, secret) => {
  const rotation = await create();
  for (const path of ['', rotation]) {
    const answer = await send(path, secret);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: { code: 'invalid_field', message: expect.stringMatching(/^secret .*Base64/) },
    });
    expect(answer.text).not.toContain(secret.slice(6));
  }
});

test.each(['WHSEC_not-Base64-at-all', 'my-whsec_-0123456789'])(
  'the secret %s does not begin with whsec_ and is accepted',
  async (secret) => {
    await create(secret);
  },
);
