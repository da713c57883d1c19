import { createHash } from 'node:crypto';
import type { Event, Incident } from '@tps/contract';
import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import canonicalize from 'canonicalize';
import { describe, expect, test } from 'vitest';

const service = useTestService();

const device = useFixture(async () => registerTestDevice(service, { tenant: await service.createTenant() }), {
  scope: 'test',
});

const hashOf = (event: Event) =>
  createHash('sha256')
    .update(canonicalize(event) ?? '')
    .digest('hex');

/** Sends an event and returns it with its recorded chain state. */
async function send(members: Partial<Event>): Promise<{ event: Event; state: string }> {
  const event = device.event({ action_taken: 'allow', ...members });
  expect((await device.post(event)).status).toBe(201);
  const row = await service.service.database.read.db
    .selectFrom('events')
    .select('device_chain')
    .where('event_id', '=', event.event_id)
    .executeTakeFirstOrThrow();
  return { event, state: row.device_chain };
}

async function integrityIncidents(): Promise<Incident[]> {
  const answer = await service.client.send('GET', '/incidents?category=device_integrity', device.tenant);
  return (answer.body as { data: Incident[] }).data;
}

describe('the chain of a device', () => {
  test('is linked if each event names the previous one', async () => {
    const first = await send({ sequence: 1 });
    const second = await send({ sequence: 2, previous_event_hash: hashOf(first.event) });
    const third = await send({ sequence: 3, previous_event_hash: hashOf(second.event) });
    const bare = await send({ previous_event_hash: hashOf(third.event) });
    expect([first, second, third, bare].map(({ state }) => state)).toEqual(Array(4).fill('linked'));
    expect(await integrityIncidents()).toEqual([]);
  });

  test('refers to events as they were sent, even if they were redacted', async () => {
    const first = await send({ sequence: 1, description: 'write to anna.muster@example.org' });
    const second = await send({ sequence: 2, previous_event_hash: hashOf(first.event) });
    expect(second.state).toBe('linked');
  });

  test('has a declared gap if numbers are skipped and no event is named', async () => {
    await send({ sequence: 1 });
    expect((await send({ sequence: 5 })).state).toBe('declared_gap');
    expect(await integrityIncidents()).toEqual([]);
  });

  test('has a gap if it names an event that never arrived, which opens an incident', async () => {
    await send({ sequence: 1 });
    const { event, state } = await send({ sequence: 5, previous_event_hash: 'a'.repeat(64) });
    expect(state).toBe('gap');
    const [incident] = await integrityIncidents();
    expect(incident).toMatchObject({
      status: 'open',
      severity: 'high',
      device_ids: [device.deviceId],
      alert_ids: [],
    });
    expect(incident?.message).toContain(event.event_id);
  });

  test('has a fork at an occupied place, continues from the first, and has one incident', async () => {
    const first = await send({ sequence: 1 });
    const second = await send({ sequence: 2, previous_event_hash: hashOf(first.event) });
    expect((await send({ sequence: 2, previous_event_hash: hashOf(first.event) })).state).toBe('fork');
    expect((await send({ sequence: 3, previous_event_hash: 'b'.repeat(64) })).state).toBe('fork');
    expect((await send({ sequence: 3, previous_event_hash: hashOf(second.event) })).state).toBe('linked');
    expect(await integrityIncidents()).toHaveLength(1);
  });

  test('is reset by a first event, and absent if nothing is declared', async () => {
    await send({ sequence: 1 });
    await send({ sequence: 2 });
    expect((await send({ sequence: 1 })).state).toBe('reset');
    expect((await send({})).state).toBe('unchained');
    expect(await integrityIncidents()).toEqual([]);
  });

  test('does not advance when the same event is sent again', async () => {
    const first = await send({ sequence: 1 });
    const second = await send({ sequence: 2, previous_event_hash: hashOf(first.event) });
    expect((await device.post(first.event)).status).toBe(200);
    expect((await send({ sequence: 3, previous_event_hash: hashOf(second.event) })).state).toBe('linked');
  });
});
