import type { Event } from '@tps/contract';
import { expect, test } from 'vitest';
import { SERVICE } from '../../audit/index.ts';
import {
  DAY_MS,
  type Sender,
  usePushScene,
  waitForDeadLetters,
} from '../../webhooks/deliveries/testing/push-scene.ts';
import { purgeExpiredData } from './purge-expired-data.ts';

const config = { eventDays: 3, derivedDays: 3, jobDays: 3, auditDays: 3 };

const scene = usePushScene();

const runPurge = ({ tenant: { tenantId } }: Sender) =>
  purgeExpiredData({
    database: scene.service.service.database,
    clock: scene.clock,
    config,
    tenantId,
    actor: SERVICE,
    dryRun: false,
  });

type Page = { data: Event[]; has_more: boolean; next_cursor: string };

async function readPage({ call }: Sender, query: string): Promise<Page> {
  const { status, body } = await call('GET', `/events?${query}`);
  expect(status).toBe(200);
  return body as Page;
}

/** Reads the feed from a cursor to its end. */
async function readOn(
  sender: Sender,
  cursor: string,
): Promise<{ ids: string[]; cursor: string; pages: number }> {
  const ids: string[] = [];
  let page: Page = { data: [], has_more: true, next_cursor: cursor };
  let pages = 0;
  while (page.has_more) {
    page = await readPage(sender, `limit=2&cursor=${encodeURIComponent(page.next_cursor)}`);
    pages += 1;
    ids.push(...page.data.map((event) => event.event_id));
  }
  return { ids, cursor: page.next_cursor, pages };
}

test('a cursor in the purged part of the feed continues at the first remaining event', async () => {
  const sender = await scene.createSender();
  await sender.sendMany(6);
  const { next_cursor: early } = await readPage(sender, 'limit=2');
  scene.clock.advance(2 * DAY_MS);
  const young = await sender.sendMany(5);
  scene.clock.advance(2 * DAY_MS);
  await runPurge(sender);

  expect((await readOn(sender, early)).ids).toEqual(young);
  expect((await readPage(sender, 'limit=100')).data.map((event) => event.event_id)).toEqual(young);
  const since = new Date(scene.clock.now() - 30 * DAY_MS).toISOString();
  expect((await readPage(sender, `limit=100&received_since=${since}`)).data).toHaveLength(5);
});

test('a feed whose events were all purged continues at its end and counts new events only', async () => {
  const sender = await scene.createSender();
  await sender.sendMany(6);
  const { next_cursor: early } = await readPage(sender, 'limit=2');
  scene.clock.advance(4 * DAY_MS);
  await runPurge(sender);
  const { ids, cursor } = await readOn(sender, early);
  expect(ids).toEqual([]);
  const statusOf = async () => (await sender.call('GET', '/status')).body as { events: object };
  expect((await statusOf()).events).toMatchObject({ last_24h: 0 });

  const { event_id } = await sender.send();
  expect((await readOn(sender, cursor)).ids).toEqual([event_id]);
  expect((await readOn(sender, early)).ids).toEqual([event_id]);
  expect((await statusOf()).events).toMatchObject({ last_24h: 1 });
});

test('an event is purged with its deliveries and dead letter, and a recovery skips it', async () => {
  const sender = await scene.createSender();
  const webhook = await sender.register((await scene.receive(404)).url);
  await sender.send();
  const [entry] = await waitForDeadLetters(webhook);
  scene.clock.advance(4 * DAY_MS);
  await runPurge(sender);
  expect(await webhook.deadLetters()).toEqual([]);
  expect(await webhook.deliveries()).toEqual([]);
  expect((await sender.call('POST', '/webhooks/dlq', { entry_id: entry?.entry_id })).status).toBe(404);
  const { body } = await sender.call('GET', '/status');
  expect(body).toMatchObject({ webhooks: { dead_letters: 0 } });

  const since = new Date(scene.clock.now() - 6 * DAY_MS).toISOString();
  expect((await webhook.send('POST', '/recover', { since })).status).toBeLessThan(300);
  await sender.send();
  expect(await waitForDeadLetters(webhook)).toHaveLength(1);
});

test('a correction of a purged event is rejected like one of an unknown event', async () => {
  const sender = await scene.createSender();
  const { event_id } = await sender.send();
  scene.clock.advance(4 * DAY_MS);
  await runPurge(sender);
  await expect(sender.send({ corrects_event_id: event_id, action_taken: 'allow' })).rejects.toThrow(
    /original_event_not_found/,
  );
});

test('reading skips a purged range in one page, however long it is', async () => {
  const sender = await scene.createSender();
  const { tenantId } = sender.tenant;
  const { database } = scene.service.service;
  await sender.sendMany(2);
  const { next_cursor: early } = await readPage(sender, 'limit=1');
  // As if a million events had been stored and purged in between.
  await database.transaction(async (tx) => {
    const event = tx.db.updateTable('events').set({ position: 1_000_000 }).where('position', '=', 2);
    await event.where('tenant_id', '=', tenantId).execute();
    const head = tx.db.updateTable('feed_heads').set({ position: 1_000_000 });
    await head.where('tenant_id', '=', tenantId).execute();
    await tx.db.deleteFrom('events').where('tenant_id', '=', tenantId).where('position', '=', 1).execute();
  });
  const { ids, pages } = await readOn(sender, early);
  expect(ids).toHaveLength(1);
  expect(pages).toBeLessThanOrEqual(2);
});
