import type { ReceivedRequest, ReceiverReply } from '@tps/testing/receiver';
import { dumpStore, holdsText } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import {
  countUnsettled,
  newPushedEvents,
  receive,
  registerWebhook,
  startPushService,
  submitAll,
} from './push-service.ts';

/** As random as a secret, and with all characters that JSON, URLs and HTML escape. */
const SECRET = 'q7"Zk\\4x&M<9>s%2+Hn/8Jw=3Rv?Td#5';
const MARK = 'the-receiver-said-this';
/** The part of an answer that the service stores. */
const KEPT_BYTES = 2048;
/** This many consecutive characters would be a leak. */
const TELLING = 6;

type Echo = (request: ReceivedRequest) => ReceiverReply;

function saying(...parts: string[]): string {
  return `${MARK} ${parts.join(' ')}`;
}

const ECHOES: Readonly<Record<string, Echo>> = {
  'as it is, with all headers': ({ headers, body }) => ({
    status: 200,
    headers: { 'x-echo': SECRET, 'set-cookie': `key=${encodeURIComponent(SECRET)}` },
    body: saying(SECRET, JSON.stringify(headers), SECRET, body),
  }),
  'in JSON': () => ({ status: 400, body: JSON.stringify({ said: saying(), secret: SECRET }) }),
  'in a URL': () => ({ status: 302, body: saying(`https://x/?key=${encodeURIComponent(SECRET)}`) }),
  'in base64': () => ({ status: 404, body: saying(Buffer.from(SECRET).toString('base64')) }),
  'in hexadecimal': () => ({ status: 422, body: saying(Buffer.from(SECRET).toString('hex')) }),
  'cut short by the end of what is kept': () => {
    const shown = SECRET.slice(0, -3);
    const padding = 'x'.repeat(KEPT_BYTES - saying('').length - shown.length);
    return { status: 200, body: `${saying(padding)}${SECRET} and more` };
  },
};

/** All parts of the secret that would be a leak. */
function partsOf(secret: string): string[] {
  return Array.from({ length: secret.length - TELLING + 1 }, (_, start) =>
    secret.slice(start, start + TELLING),
  );
}

function leaksIn(text: string): string[] {
  const json = JSON.stringify(SECRET).slice(1, -1);
  const parts = [...partsOf(SECRET), ...partsOf(json), ...partsOf(encodeURIComponent(SECRET))];
  return holdsText(text, SECRET) ? [SECRET] : parts.filter((part) => text.includes(part));
}

test('a secret that receivers echo is in no answer, no log line and not in the store', async () => {
  const { store, service, device } = await startPushService({ SERVICE_LOG_LEVEL: 'trace' });
  const webhookIds: string[] = [];
  for (const echo of Object.values(ECHOES)) {
    const receiver = await receive({ respond: echo });
    const { webhookId } = await registerWebhook(service, device, { url: receiver.url, secret: SECRET });
    webhookIds.push(webhookId);
  }
  await submitAll(service, device, newPushedEvents(device, 2));
  await waitUntil(async () => (await countUnsettled(store.url)) === 0);

  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${device.credential}` };
    const response = await fetch(`${service.baseUrl}${path}`, { headers });
    expect(response.status, path).toBe(200);
    return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
  };
  for (const [index, how] of Object.keys(ECHOES).entries()) {
    const answer = await ask(`/webhooks/${webhookIds[index]}/deliveries?limit=10`);
    // The answers were stored, so the test is meaningful.
    expect(answer, how).toContain(MARK);
    expect(leaksIn(answer), how).toEqual([]);
  }
  for (const path of [
    '/webhooks',
    ...webhookIds.map((id) => `/webhooks/${id}`),
    '/webhooks/dlq',
    '/tokens/audit',
  ]) {
    expect(leaksIn(await ask(path)), path).toEqual([]);
  }
  const { code, output } = await service.stop();
  expect(code).toBe(0);
  expect(leaksIn(output)).toEqual([]);
  const dump = await dumpStore(store);
  expect(dump).toContain(MARK);
  expect(leaksIn(dump)).toEqual([]);
});
