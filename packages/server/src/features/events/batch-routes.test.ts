import type { EventBatchResult } from '@tps/contract';
import { codeOf, registerTestDevice, signedSend } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();
const device = useFixture(() => registerTestDevice(service));

const path = '/events/batch';

async function sendBatch(events: readonly unknown[]): Promise<EventBatchResult[]> {
  const answer = await device.post({ events }, { path });
  expect(answer.status).toBe(200);
  return (answer.body as { results: EventBatchResult[] }).results;
}

async function isStored(eventId: string): Promise<boolean> {
  return (await service.client.send('GET', `/events/${eventId}`, device.tenant)).status === 200;
}

describe('a batch', () => {
  test('stores every valid event next to invalid ones, and reports each outcome', async () => {
    const other = await registerTestDevice(service);
    const known = device.event();
    await device.post(known);
    const [first, corrected, last] = [
      device.event(),
      device.event(),
      device.event({ action_taken: 'allow' }),
    ];
    const day = 86_400_000;
    const cases: [unknown, number, string | undefined][] = [
      [first, 201, undefined],
      [{ ...device.event(), confidence: 3 }, 400, 'invalid_field'],
      [{ ...device.event(), severity: undefined }, 400, 'missing_field'],
      ['not an event', 400, 'invalid_field'],
      [null, 400, 'invalid_field'],
      [{ event_id: 7 }, 400, 'missing_field'],
      [{ ...device.event(), extra: true }, 400, 'invalid_field'],
      [device.event({ timestamp: new Date(Date.now() - 200 * day).toISOString() }), 400, 'event_too_old'],
      [device.event({ timestamp: new Date(Date.now() + day).toISOString() }), 400, 'event_in_future'],
      [device.event({ corrects_event_id: 'evt_none' }), 400, 'original_event_not_found'],
      [device.event({ tenant_id: 'tnt_other' }), 403, 'tenant_mismatch'],
      [device.event({ device_id: other.deviceId }), 401, 'invalid_signature'],
      [known, 200, undefined],
      [{ ...known, confidence: 0.11 }, 409, 'event_id_conflict'],
      [corrected, 201, undefined],
      [device.event({ corrects_event_id: corrected.event_id, action_taken: 'allow' }), 201, undefined],
      [first, 200, undefined],
      [{ ...first, confidence: 0.12 }, 409, 'event_id_conflict'],
      [{ ...device.event(), metadata: { note: 'x'.repeat(5000) } }, 400, 'invalid_field'],
      [last, 201, undefined],
    ];
    const results = await sendBatch(cases.map(([item]) => item));
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual(
      cases.map(([, status, code]) => [status, code]),
    );
    expect(results.map((result) => result.event_id)).toEqual(
      cases.map(([item]) => {
        const { event_id: id } = Object(item) as { event_id?: unknown };
        return typeof id === 'string' ? id : null;
      }),
    );
    for (const [index, [item, status]] of cases.entries()) {
      const { event_id: id } = Object(item) as { event_id?: unknown };
      if (typeof id !== 'string') continue;
      expect(await isStored(id), `item ${index}`).toBe([200, 201, 409].includes(status));
    }
    const stored = await service.client.send('GET', `/events/${first.event_id}`, device.tenant);
    expect(stored.body).toEqual(first);
  });

  test('of 500 is stored in full; of 501 or none it is rejected', async () => {
    const many = Array.from({ length: 501 }, () => device.event({ action_taken: 'allow' }));
    for (const events of [many, [], 'events', undefined]) {
      const refused = await device.post({ events }, { path });
      expect([refused.status, codeOf(refused)]).toEqual([
        400,
        events === undefined ? 'missing_field' : 'invalid_field',
      ]);
    }
    expect(await isStored(many[0]?.event_id ?? '')).toBe(false);
    const results = await sendBatch(many.slice(0, 500));
    expect(results.every(({ status }) => status === 201)).toBe(true);
  });

  test('is not parsed before its signature is verified, and an invalid body uses up the nonce', async () => {
    const signer = { nonce: 's'.repeat(22), created: Math.floor(Date.now() / 1000) };
    const wide = `{${Array.from({ length: 5_000 }, (_, index) => `"m${index}":1`).join(',')}}`;
    const forged = { path, signed: { body: '{}' } };
    for (const [body, status, code] of [
      ['{"events":[{"a":]}', 400, 'invalid_json'],
      ['{"events":[1}', 400, 'invalid_json'],
      ['{"events":[{"a":1,"a":2}]}', 400, 'invalid_json'],
      ['{"events":[{"__proto__":1}]}', 400, 'invalid_field'],
      [wide, 413, 'payload_too_large'],
    ] as const) {
      const unproven = await signedSend(service, device, body, forged);
      expect([unproven.status, codeOf(unproven)], body).toEqual([401, 'invalid_signature']);
      const nonce = `${signer.nonce}${body.length}`;
      const genuine = await signedSend(service, device, body, { path, signer: { ...signer, nonce } });
      expect([genuine.status, codeOf(genuine)], body).toEqual([status, code]);
      const again = await signedSend(service, device, body, { path, signer: { ...signer, nonce } });
      expect([again.status, codeOf(again)], body).toEqual([401, 'replayed_request']);
    }
  });

  test('rejects an event that is too large or too wide alone, naming the limit', async () => {
    const [first, last] = [device.event(), device.event()];
    const large = device.event({ description: 'x'.repeat(600_000) });
    const wide = { ...device.event(), metadata: { list: Array.from({ length: 5_000 }, () => 1) } };
    const results = await sendBatch([first, large, wide, last]);
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
      [201, undefined],
      [413, 'payload_too_large'],
      [413, 'payload_too_large'],
      [201, undefined],
    ]);
    expect(results[1]?.error?.message).toMatch(/^events\[1\] is larger than \d+ bytes/);
    expect(results[2]?.error?.message).toMatch(/^events\[2\] has too many members: more than \d+ /);
    expect(await isStored(large.event_id)).toBe(false);
  });

  test('in which the name of the list is written with escapes is read like any other', async () => {
    const event = device.event();
    const answer = await device.post(`{"\\u0065vents":[${JSON.stringify(event)}]}`, { path });
    expect(answer.body).toMatchObject({ results: [{ event_id: event.event_id, status: 201 }] });
  });

  test('counts once towards the rate limit and has one nonce', async () => {
    const signer = { nonce: 'q'.repeat(22), created: Math.floor(Date.now() / 1000) };
    const body = { events: [device.event(), device.event(), device.event()] };
    const before = await device.post(device.event());
    const answer = await signedSend(service, device, body, { path, signer });
    const left = (headers: Headers) => Number(headers.get('x-ratelimit-remaining'));
    expect([answer.status, left(answer.headers)]).toEqual([200, left(before.headers) - 1]);
    const again = await signedSend(service, device, body, { path, signer });
    expect([again.status, codeOf(again)]).toEqual([401, 'replayed_request']);
  });

  test('without a valid event still uses up its nonce', async () => {
    const signer = { nonce: 'r'.repeat(22), created: Math.floor(Date.now() / 1000) };
    const first = await signedSend(service, device, { events: [1] }, { path, signer });
    expect(first.status).toBe(200);
    const again = await signedSend(service, device, { events: [1] }, { path, signer });
    expect([again.status, codeOf(again)]).toEqual([401, 'replayed_request']);
  });
});
