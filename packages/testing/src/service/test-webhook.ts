import { randomBytes } from 'node:crypto';
import type { DeadLetter, Delivery, NewWebhook, Webhook } from '@tps/contract';
import type { TestAnswer } from './check-answer.ts';
import type { TestService, TestTenant } from './test-service.ts';

/** Settings of a service that stores webhooks encrypted and may call this machine. */
export const WEBHOOK_ENV = {
  SERVICE_SECRET_KEY_B64: Buffer.alloc(32, 5).toString('base64'),
  SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
};

/** A registered webhook, and the requests about it. */
export interface TestWebhook {
  readonly webhookId: string;
  readonly secret: string;
  read(): Promise<Webhook>;
  deliveries(): Promise<Delivery[]>;
  deadLetters(): Promise<DeadLetter[]>;
  /** Sends a request to `/webhooks/{id}`, followed by `path`. */
  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path?: string, body?: object): Promise<TestAnswer>;
}

export async function registerTestWebhook(
  service: TestService,
  options: { url: string; tenant?: TestTenant } & Partial<
    Pick<NewWebhook, 'severity_filter' | 'auto_replay'>
  >,
): Promise<TestWebhook> {
  const { tenant = service.tenant, ...members } = options;
  const { credential } = tenant;
  const secret = randomBytes(24).toString('base64url');
  const created = await service.client.send('POST', '/webhooks', {
    credential,
    body: { ...members, secret },
  });
  if (created.status !== 201)
    throw new Error(`the webhook was not registered: ${JSON.stringify(created.body)}`);
  const { webhook_id: webhookId } = created.body as Webhook;
  const send: TestWebhook['send'] = (method, path = '', body) =>
    service.client.send(method, `/webhooks/${webhookId}${path}`, { credential, ...(body ? { body } : {}) });
  return {
    webhookId,
    secret,
    send,
    read: async () => (await send('GET')).body as Webhook,
    deliveries: async () => ((await send('GET', '/deliveries?limit=100')).body as { data: Delivery[] }).data,
    async deadLetters() {
      const path = `/webhooks/dlq?webhook_id=${webhookId}&limit=100`;
      const answer = await service.client.send('GET', path, { credential });
      return (answer.body as { data: DeadLetter[] }).data;
    },
  };
}
