import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';

/** The limit of the service per webhook. */
const CONNECTIONS_PER_RECEIVER = 8;

const dispatcher = new Agent({ connections: CONNECTIONS_PER_RECEIVER, pipelining: 1 });
const secret = Buffer.alloc(32, 7);

/**
 * Signs a delivery as Standard Webhooks defines it and posts it. It does not check the address of the receiver, which
 * the service does three times.
 *
 * @param {{ url: string, id: string, body: string }} delivery
 * @throws Error when the answer is not 2xx, so that the delivery is retried
 */
export async function deliver({ url, id, body }) {
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  await answer.body.dump();
  if (answer.statusCode < 200 || answer.statusCode > 299) {
    throw new Error(`The receiver answered ${answer.statusCode}.`);
  }
}
