import type { Delivery } from '@tps/contract';
import { codeOf } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import type { TestWebhook } from '@tps/testing/service';
import { describe, expect, test, vi } from 'vitest';
import * as recoveryStore from './recovery-store.ts';
import { SOON, usePushScene, waitForDeliveries } from './testing/push-scene.ts';

const scene = usePushScene();
const sender = useFixture(() => scene.createSender());

type Page = { data: Delivery[]; has_more: boolean; next_cursor: string | null };

async function readPage(webhook: TestWebhook, query: Record<string, string>): Promise<Page> {
  const answer = await webhook.send('GET', `/deliveries?${new URLSearchParams(query)}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Page;
}

describe('the deliveries of a webhook', () => {
  test('show what was sent when, and the response', async () => {
    const receiver = await scene.receive({ status: 200, body: 'thank you' });
    const webhook = await sender.register(receiver.url);
    const event = await sender.send();
    const at = new Date(scene.clock.now()).toISOString();
    const [delivery] = await waitForDeliveries(webhook);
    expect(delivery).toEqual({
      delivery_id: expect.stringMatching(/^dlv_/),
      tenant_id: sender.tenant.tenantId,
      webhook_id: webhook.webhookId,
      event_id: event.event_id,
      kind: 'event',
      status: 'delivered',
      attempts: 1,
      created_at: at,
      next_attempt_at: null,
      last_attempt_at: at,
      last_status: 200,
      last_error: null,
      last_response: 'thank you',
      last_duration_ms: expect.any(Number),
    });
  });

  test('show when the next attempt is due, and why', async () => {
    const receiver = await scene.receive({ status: 503, body: 'try later' });
    const webhook = await sender.register(receiver.url);
    await sender.send();
    await vi.waitFor(async () => expect((await webhook.deliveries())[0]?.attempts).toBe(1), SOON);
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({
      status: 'pending',
      last_status: 503,
      last_error: 'The receiver responded with 503',
      last_response: 'try later',
    });
    const pauseMs = Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.last_attempt_at ?? '');
    expect(pauseMs).toBeGreaterThanOrEqual(1000);
    expect(pauseMs).toBeLessThanOrEqual(1100);
    expect(await webhook.read()).toMatchObject({
      last_delivery_status: 'retrying',
      last_delivery_error: 'The receiver responded with 503',
      last_delivery_attempts: 1,
    });
  });

  test('are listed newest first, paged, by status and across webhooks', async () => {
    const receiver = await scene.receive((_request, index) => (index % 2 === 0 ? 204 : 404));
    const webhook = await sender.register(receiver.url);
    const ids: string[] = [];
    for (let count = 1; count <= 6; count += 1) {
      ids.unshift((await sender.send()).event_id);
      await waitForDeliveries(webhook, count);
    }
    const walked: Delivery[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await readPage(webhook, { limit: '4', ...(cursor === null ? {} : { cursor }) });
      expect(page.has_more).toBe(page.next_cursor !== null);
      walked.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(walked.map(({ event_id }) => event_id)).toEqual(ids);
    const statuses = ['failed', 'delivered', 'failed', 'delivered', 'failed', 'delivered'];
    expect(walked.map(({ status }) => status)).toEqual(statuses);

    const failed = await readPage(webhook, { status: 'failed', limit: '2' });
    expect(failed.data.map(({ event_id }) => event_id)).toEqual([ids[0], ids[2]]);
    const rest = await readPage(webhook, { status: 'failed', limit: '2', cursor: failed.next_cursor ?? '' });
    expect(rest).toMatchObject({ data: [{ event_id: ids[4] }], has_more: false });
    expect((await readPage(webhook, { status: 'pending' })).data).toEqual([]);
  });

  test('have cursors that are rejected for another webhook or filter', async () => {
    const receiver = await scene.receive();
    const [one, other] = [await sender.register(receiver.url), await sender.register(receiver.url)];
    await sender.send();
    await sender.send();
    const { next_cursor: cursor } = await readPage(one, { limit: '1' });
    const elsewhere = await other.send('GET', `/deliveries?limit=1&cursor=${cursor}`);
    expect([elsewhere.status, codeOf(elsewhere)]).toEqual([400, 'invalid_cursor']);
    const filtered = await one.send('GET', `/deliveries?limit=1&status=failed&cursor=${cursor}`);
    expect([filtered.status, codeOf(filtered)]).toEqual([400, 'cursor_filter_mismatch']);
  });

  test('are not found by another tenant, nor for an unknown webhook', async () => {
    const receiver = await scene.receive();
    const webhook = await sender.register(receiver.url);
    const stranger = await scene.createSender();
    for (const path of [
      `/webhooks/${webhook.webhookId}/deliveries`,
      `/webhooks/whk_${'0'.repeat(26)}/deliveries`,
    ]) {
      expect((await stranger.call('GET', path)).status).toBe(404);
    }
  });
});

test('removing a webhook removes its deliveries, dead letters and recoveries only', async () => {
  const receiver = await scene.receive(404);
  const owner = await scene.createSender();
  const [webhook, kept] = [await owner.register(receiver.url), await owner.register(receiver.url)];
  await owner.send();
  await waitForDeliveries(webhook);
  await waitForDeliveries(kept);
  const { db } = scene.database();
  const rowsOf = async (webhookId: string) => {
    const counts: number[] = [];
    for (const table of ['deliveries', 'webhook_states', 'webhook_recoveries', 'webhooks'] as const) {
      const rows = await db
        .selectFrom(table)
        .select('tenant_id')
        .where('webhook_id', '=', webhookId)
        .execute();
      counts.push(rows.length);
    }
    return counts;
  };
  expect(await rowsOf(webhook.webhookId)).toEqual([1, 1, 0, 1]);
  // So long that it is still running when the webhook is removed.
  const stretch = { afterPosition: 0, untilPosition: 1_000_000, restartsFailed: true };
  const { tenantId } = owner.tenant;
  const { webhookId } = webhook;
  await scene.service.service.database.transaction((tx) =>
    recoveryStore.saveMany(tx, [{ tenantId, webhookId, ...stretch }]),
  );
  expect((await webhook.send('DELETE')).status).toBe(204);
  expect(await rowsOf(webhook.webhookId)).toEqual([0, 0, 0, 0]);
  expect(await rowsOf(kept.webhookId)).toEqual([1, 1, 0, 1]);
  const left = (await owner.call('GET', '/webhooks/dlq')).body as { data: { webhook_id: string }[] };
  expect(left.data.map(({ webhook_id }) => webhook_id)).toEqual([kept.webhookId]);
  expect((await webhook.send('GET', '/deliveries')).status).toBe(404);
});
