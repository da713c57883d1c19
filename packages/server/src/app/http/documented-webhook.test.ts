import { registerTestDevice } from '@tps/testing/device';
import { useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService({ env: WEBHOOK_ENV });
const receive = useReceivers();

interface DocumentedHeader {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly pattern: string };
}

test('a delivery has the headers and the body that the OpenAPI document describes', async () => {
  const document = (await service.client.send('GET', '/openapi.json')).body as {
    webhooks: Record<
      string,
      { post: { parameters: DocumentedHeader[]; requestBody: { content: Record<string, unknown> } } }
    >;
  };
  const { post } = document.webhooks.eventAccepted ?? {};
  const receiver = await receive();
  const registered = await registerTestWebhook(service, { url: receiver.url });
  const device = await registerTestDevice(service);
  const event = device.event();
  await device.post(event);
  const rotation = { secret: 'the-next-secret-of-the-webhook' };
  await service.client.send('POST', `/webhooks/${registered.webhookId}/rotate-secret`, {
    credential: service.tenant.credential,
    body: rotation,
  });
  await device.post(device.event());
  const [first, second] = await receiver.waitFor(2);

  const headers = post?.parameters ?? [];
  expect(headers.length).toBeGreaterThan(5);
  for (const { name, in: place, required, schema } of headers) {
    expect(place).toBe('header');
    const values = [first, second].map((request) => request?.headers[name.toLowerCase()]);
    // The signature of the old secret is there only after a rotation.
    expect(values[0] !== undefined, name).toBe(required);
    expect(values[1], name).toMatch(new RegExp(schema.pattern));
  }
  const sent = Object.keys(second?.headers ?? {}).filter((name) => /^(?:x-service|webhook)-/.test(name));
  expect(sent.sort()).toEqual(headers.map(({ name }) => name.toLowerCase()).sort());
  expect(Object.keys(post?.requestBody.content ?? {})).toEqual([first?.headers['content-type']]);
  expect(JSON.parse(first?.body ?? '{}')).toMatchObject({ event_id: event.event_id });
});
