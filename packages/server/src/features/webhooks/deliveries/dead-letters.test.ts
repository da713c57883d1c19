import type { DeadLetter } from '@tps/contract';
import { codeOf } from '@tps/testing/device';
import { describe, expect, test } from 'vitest';
import {
  DAY_MS,
  passRetries,
  readAudit,
  usePushScene,
  waitForDeadLetters,
  waitForDeliveries,
} from './testing/push-scene.ts';

const scene = usePushScene();

type Page = { data: DeadLetter[]; has_more: boolean; next_cursor: string | null };

/** A tenant whose receiver rejects everything, so that each event becomes a dead letter after one attempt. */
async function createRefused() {
  const receiver = await scene.receive(404);
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  const readPage = async (query: Record<string, string> = {}): Promise<Page> => {
    const answer = await sender.call('GET', `/webhooks/dlq?${new URLSearchParams(query)}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Page;
  };
  const remove = (entryId: string) => sender.call('DELETE', `/webhooks/dlq?entry_id=${entryId}`);
  return { receiver, sender, webhook, readPage, remove };
}

describe('a dead letter', () => {
  test('remains after three failed attempts, for 7 days after the last', async () => {
    const receiver = await scene.receive(503);
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    const event = await sender.send();
    await passRetries(scene, receiver, 2);
    expect(await webhook.deadLetters()).toEqual([]);
    await passRetries(scene, receiver, 3);
    const [entry] = await waitForDeadLetters(webhook);
    const [delivery] = await webhook.deliveries();
    const failedAt = delivery?.last_attempt_at ?? '';
    expect(entry).toEqual({
      entry_id: expect.stringMatching(/^dlq_/),
      tenant_id: sender.tenant.tenantId,
      webhook_id: webhook.webhookId,
      event_id: event.event_id,
      delivery_id: delivery?.delivery_id,
      failed_at: failedAt,
      expires_at: new Date(Date.parse(failedAt) + 7 * DAY_MS).toISOString(),
      attempts: 3,
      last_status: 503,
      last_error: 'The receiver responded with 503',
      event: (await sender.call('GET', `/events/${event.event_id}`)).body,
    });
    expect(delivery).toMatchObject({ status: 'failed', attempts: 3, next_attempt_at: null });
    expect(await webhook.read()).toMatchObject({
      last_delivery_status: 'failed',
      last_delivery_error: 'The receiver responded with 503',
      last_delivery_at: failedAt,
      last_delivery_attempts: 3,
    });
    expect(receiver.requests).toHaveLength(3);
  });

  test('results from the first attempt if a retry is pointless', async () => {
    const { sender, webhook, receiver } = await createRefused();
    await sender.send();
    const [entry] = await waitForDeadLetters(webhook);
    expect(entry).toMatchObject({
      attempts: 1,
      last_status: 404,
      last_error: 'The receiver responded with 404',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test('of a receiver that never responded has no status', async () => {
    const receiver = await scene.receive('hang up');
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    await sender.send();
    await passRetries(scene, receiver, 3);
    const [entry] = await waitForDeadLetters(webhook);
    expect(entry).toMatchObject({ attempts: 3, last_status: null, last_error: expect.stringMatching(/./) });
  });

  test('is listed newest first, paged, and by webhook', async () => {
    const { sender, webhook, readPage } = await createRefused();
    const other = await sender.register((await scene.receive(404)).url, { severity_filter: ['low'] });
    const ids: string[] = [];
    for (const severity of ['high', 'low', 'high', 'low'] as const) {
      ids.unshift((await sender.send({ severity })).event_id);
    }
    await waitForDeadLetters(webhook, 4);
    await waitForDeadLetters(other, 2);
    const walked: DeadLetter[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await readPage({ limit: '4', ...(cursor === null ? {} : { cursor }) });
      walked.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    const entryIds = walked.map(({ entry_id }) => entry_id);
    expect(new Set(entryIds).size).toBe(6);
    expect(entryIds).toEqual([...entryIds].sort().reverse());
    expect(walked.map(({ event_id }) => event_id)).toEqual([ids[0], ids[0], ids[1], ids[2], ids[2], ids[3]]);
    const filter = { webhook_id: other.webhookId };
    const first = await readPage({ ...filter, limit: '1' });
    expect(first).toMatchObject({
      data: [{ event_id: ids[0], webhook_id: other.webhookId }],
      has_more: true,
    });
    const rest = await readPage({ ...filter, limit: '1', cursor: first.next_cursor ?? '' });
    expect(rest).toMatchObject({
      data: [{ event_id: ids[2], webhook_id: other.webhookId }],
      has_more: false,
    });
    expect((await readPage({ webhook_id: `whk_${'0'.repeat(26)}` })).data).toEqual([]);
  });

  test('is gone after its deletion, which is audited; the delivery stays as it was', async () => {
    const { sender, webhook, readPage, remove } = await createRefused();
    const event = await sender.send();
    const [entry] = await waitForDeadLetters(webhook);
    const entryId = entry?.entry_id ?? '';
    expect((await remove(entryId)).status).toBe(204);
    expect((await readPage()).data).toEqual([]);
    expect((await remove(entryId)).status).toBe(404);
    expect(await waitForDeliveries(webhook)).toMatchObject([{ status: 'failed' }]);
    const replay = await sender.call('POST', '/webhooks/dlq', { entry_id: entryId });
    expect(replay.status).toBe(404);
    const [, ...entries] = await readAudit(scene, webhook.webhookId);
    expect(entries).toMatchObject([
      {
        action: 'webhook.acknowledge',
        actor_type: 'token',
        outcome: 'success',
        fields: { entry_id: entryId, event_id: event.event_id },
      },
    ]);
  });

  test('can be deleted only by its tenant, and only by its id', async () => {
    const { sender, webhook, remove } = await createRefused();
    await sender.send();
    const [entry] = await waitForDeadLetters(webhook);
    const stranger = await scene.createSender();
    expect((await stranger.call('GET', '/webhooks/dlq')).body).toMatchObject({ data: [] });
    const theirs = await stranger.call('DELETE', `/webhooks/dlq?entry_id=${entry?.entry_id}`);
    expect(theirs.status).toBe(404);
    for (const query of [
      '',
      '?entry_id=',
      `?entry_id=${entry?.delivery_id}`,
      `?webhook_id=${webhook.webhookId}`,
    ]) {
      const answer = await sender.call('DELETE', `/webhooks/dlq${query}`);
      expect([answer.status, codeOf(answer)], query).toEqual([400, 'invalid_parameter']);
    }
    expect(await webhook.deadLetters()).toHaveLength(1);
    expect((await remove(`dlq_${'0'.repeat(26)}`)).status).toBe(404);
  });
});
