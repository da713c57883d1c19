import { expect, test } from 'vitest';
import { usePushScene, waitForDeadLetters } from './testing/push-scene.ts';

const scene = usePushScene();

type Results = {
  results: { id: string; status: number; error?: { code: string } }[];
  next_cursor: string | null;
};

/** A tenant whose receiver rejected so many events. Returns their dead letters. */
async function createRefused(count: number) {
  const receiver = await scene.receive(404);
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  for (let index = 0; index < count; index += 1) await sender.send();
  const entries = await waitForDeadLetters(webhook, count);
  const change = async (body: object) =>
    (await sender.call('POST', '/webhooks/dlq/bulk', body)).body as Results;
  return { receiver, sender, webhook, change, ids: entries.map(({ entry_id: id }) => id) };
}

test('deletes several dead letters, and those that are gone say so', async () => {
  const { webhook, change, ids } = await createRefused(3);
  const [first = '', second = '', third = ''] = ids;
  expect((await change({ ids: [first, second], change: { action: 'delete' } })).results).toEqual([
    { id: first, status: 200 },
    { id: second, status: 200 },
  ]);
  const { results } = await change({ ids: [second, third], change: { action: 'delete' } });
  expect(results.map(({ error }) => error?.code)).toEqual(['not_found', undefined]);
  expect(await webhook.deadLetters()).toEqual([]);
});

test('replays every dead letter of a webhook', async () => {
  const { webhook, change, ids } = await createRefused(3);
  const other = await createRefused(1);
  const body = { filter: { webhook_id: webhook.webhookId }, change: { action: 'replay' } };
  const { results, next_cursor: next } = await change(body);
  expect(results.map(({ id, status }) => [id, status])).toEqual(ids.map((id) => [id, 200]));
  expect(next).toBeNull();
  // Each is sent again, and refused again.
  await expect
    .poll(async () => (await webhook.deadLetters()).map(({ attempts }) => attempts))
    .toEqual([1, 1, 1]);
  expect((await other.change({ ids, change: { action: 'replay' } })).results).toMatchObject(
    ids.map(() => ({ error: { code: 'not_found' } })),
  );
});

test('a disabled webhook refuses each replay', async () => {
  const { webhook, change, ids } = await createRefused(2);
  await webhook.send('PATCH', '', { status: 'disabled' });
  const { results } = await change({ ids, change: { action: 'replay' } });
  expect(results.map(({ error }) => error?.code)).toEqual([
    'invalid_state_transition',
    'invalid_state_transition',
  ]);
});
