import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@tps/client';
import { ACTIONS, PLATFORMS, THREAT_CATEGORIES } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { startPopulatedService } from '@tps/testing/population';
import { expect, test } from 'vitest';

const populated = useFixture(
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tps-test-'));
    const passwordCost = { memoryKiB: 8, passes: 1 };
    const service = await startPopulatedService({ directory, days: 4, passwordCost });
    return { ...service, directory };
  },
  {
    close: async ({ stop, directory }) => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  },
);

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

function valuesOf<Item, Value>(items: readonly Item[], of: (item: Item) => Value): Value[] {
  return [...new Set(items.map(of))].sort();
}

test('a population has every kind of thing that the console shows', async () => {
  const client = createClient(populated);
  const events = await all(client.events.list({ limit: 500 }));
  expect(events).toHaveLength(populated.events);
  expect(valuesOf(events, (event) => event.threat_category)).toEqual([...THREAT_CATEGORIES].sort());
  expect(valuesOf(events, (event) => event.action_taken)).toEqual([...ACTIONS].sort());
  expect(Date.now() - Date.parse(events[0]?.timestamp ?? '')).toBeGreaterThan(3 * 86_400_000);

  const devices = await all(client.devices.list());
  expect(valuesOf(devices, (device) => device.platform)).toEqual([...PLATFORMS].sort());
  expect(valuesOf(devices, (device) => device.status)).toEqual(['active', 'revoked']);

  const incidents = await all(client.incidents.list());
  const statuses = valuesOf(incidents, (incident) => incident.status);
  expect(statuses).toEqual(expect.arrayContaining(['closed', 'in_progress', 'open', 'resolved']));
  const accounts = populated.people.map(({ accountId }) => accountId);
  expect(incidents.some(({ assignee }) => assignee !== null && accounts.includes(assignee))).toBe(true);

  const jobs = valuesOf(await all(client.jobs.list()), (job) => job.status);
  expect(jobs).toEqual(expect.arrayContaining(['cancelled', 'completed', 'rejected', 'waiting_review']));
  expect(valuesOf(await all(client.members.list()), (member) => member.role)).toHaveLength(3);
  expect(await all(client.invitations.list())).toHaveLength(2);
  expect((await all(client.webhooks.list())).map(({ status }) => status)).toContain('disabled');
  expect((await all(client.webhooks.deadLetters.list())).length).toBeGreaterThan(0);
  expect((await client.indicators.sources()).data).toHaveLength(4);
  expect((await client.status.get()).devices.online).toBeGreaterThan(5);
});

test('nothing of a population lies in the future, and no device chain has a gap', async () => {
  const client = createClient(populated);
  for await (const event of client.events.list({ limit: 500 })) {
    expect(Date.parse(event.timestamp)).toBeLessThanOrEqual(Date.now());
    expect(event.sequence).toBeGreaterThan(0);
  }
  const categories = valuesOf(await all(client.incidents.list()), (incident) => incident.category);
  // A device whose chain has a gap would raise this one.
  expect(categories).not.toContain('device_integrity');
});
