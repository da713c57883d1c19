import type { Event } from '@tps/contract';
import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();
const device = useFixture(() => registerTestDevice(service));

describe('a signed and valid event', () => {
  test('is stored, served in the feed, and derived into a threat, an alert and an incident', async () => {
    const event = device.event({ indicators: ['sig:one'] });
    const stored = await device.post(event);
    expect(stored.status).toBe(201);
    expect(stored.body).toEqual(event);

    const { credential } = device.tenant;
    const feed = await service.client.send('GET', '/events?limit=500', { credential });
    expect((feed.body as { data: Event[] }).data).toContainEqual(event);
    for (const list of ['threats', 'alerts', 'incidents']) {
      const answer = await service.client.send('GET', `/${list}`, { credential });
      expect((answer.body as { data: unknown[] }).data, list).toHaveLength(1);
    }
    expect((await service.client.send('GET', '/status', { credential })).body).toMatchObject({
      status: 'at_risk',
    });
  });
});
