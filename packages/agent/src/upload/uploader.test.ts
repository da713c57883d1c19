import { describe, expect, test } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import { refusal } from '../testing/checking-service.ts';
import { detection, startScene } from '../testing/enrolled-agent.ts';
import { handHeldClock } from '../testing/hand-held-clock.ts';

const secondsFromNow = (seconds: number) => ({
  nowMs: () => Date.now() + seconds * 1000,
  sleep: () => new Promise<void>(() => {}),
});

describe('uploading', () => {
  test('sends the highest severity first, then the oldest', async () => {
    const { agent, service } = await startScene();
    for (const [number, severity] of (
      ['low', 'high', 'medium', 'critical', 'high', 'low'] as const
    ).entries()) {
      await agent.record(detection(number, { severity }));
    }
    await agent.flush();
    const descriptions = [...service.feed.values()].map(({ description }) => description?.slice(-1));
    expect(descriptions).toEqual(['3', '1', '4', '2', '0', '5']);
  });

  test('sends each event exactly once, despite any failure in transit', async () => {
    const { agent, service } = await startScene();
    const ids = [];
    for (let number = 1; number <= 5; number += 1) ids.push((await agent.record(detection(number))).eventId);
    service.state.script.push(
      'disconnect',
      // Stored, but the answer is lost.
      (events) => {
        for (const event of events) service.store(event);
        return 'disconnect';
      },
      [502, '<h1>Bad Gateway</h1>'],
      refusal(500, 'internal_error'),
    );
    const results = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) results.push(await agent.flush());
    expect(results).toEqual([false, false, false, false, true]);
    expect([...service.feed.keys()].sort()).toEqual(ids.sort());
    expect([...service.feed.values()].map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(agent.health()).toMatchObject({
      store: { waiting: 0, archived: 5 },
      upload: { state: 'idle', delivered: 5 },
    });
  });

  test('splits a batch that is too large, and marks a too large event as refused', async () => {
    const { agent, service, notices } = await startScene();
    for (let number = 1; number <= 8; number += 1) await agent.record(detection(number));
    const tooLarge = (limit: number) => (events: readonly { description?: string }[]) =>
      events.length > limit || events.some(({ description }) => description === 'Detection 6')
        ? refusal(413, 'payload_too_large')
        : ([200, { results: events.map((event) => service.store(event as never)) }] as const);
    service.state.script.push(...Array(40).fill(tooLarge(2)));
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(7);
    expect(agent.health().store).toMatchObject({ waiting: 0, archived: 7, refused: 1 });
    expect(notices).toMatchObject([
      { kind: 'event_refused', message: expect.stringContaining('payload_too_large') },
    ]);
  });

  test('keeps and reports an event whose id is taken, and continues', async () => {
    const { agent, service, notices } = await startScene();
    const { eventId } = await agent.record(detection(1));
    await agent.record(detection(2));
    service.state.script.push(([first, ...others]) => [
      200,
      {
        results: [
          {
            event_id: first?.event_id ?? null,
            status: 409,
            error: { code: 'event_id_conflict', message: 'No.', status: 409 },
          },
          ...others.map(service.store),
        ],
      },
    ]);
    expect(await agent.flush()).toBe(true);
    expect(await agent.find(eventId)).toMatchObject({ refusal: { status: 409, code: 'event_id_conflict' } });
    expect(notices).toMatchObject([
      { kind: 'event_refused', message: expect.stringContaining('event_id_conflict') },
    ]);
  });

  test('continues by itself after a refusal, reports it once, and asks once an hour or more', async () => {
    const clock = handHeldClock();
    const { agent, service, notices, open } = await startScene({ clock });
    service.clock.nowMs = clock.nowMs;
    await agent.close();
    service.state.script.push(...Array(20).fill(refusal(401, 'invalid_credentials', 'It is not valid.')));
    const working = await open({ autonomous: true });
    await working.record(detection(1));
    for (let attempts = 1; attempts <= 20; attempts += 1) {
      await expect
        .poll(() => working.health().upload)
        .toMatchObject({
          state: 'backing_off',
          refusal: 'invalid_credentials',
          reason: expect.stringContaining('It is not valid.'),
          attempts,
        });
      clock.advance(3_600_000);
    }
    await expect.poll(() => service.feed.size).toBe(1);
    await expect.poll(() => working.health().upload).toMatchObject({ state: 'idle', refusal: undefined });
    expect(notices.map(({ kind }) => kind)).toEqual(['upload_refused']);
  });

  test('reports a refusal again when its reason changes, and after a success', async () => {
    const { agent, service, notices } = await startScene();
    const credential = refusal(401, 'invalid_credentials');
    const tenant = refusal(403, 'tenant_mismatch');
    service.state.script.push(credential, credential, tenant, 'disconnect', tenant);
    await agent.record(detection(1));
    for (let attempt = 1; attempt <= 5; attempt += 1) expect(await agent.flush()).toBe(false);
    expect(await agent.flush()).toBe(true);
    service.state.script.push(tenant);
    await agent.record(detection(2));
    expect(await agent.flush()).toBe(false);
    const codes = notices.map(({ kind, message }) => [kind, /\b40[13] \w+/.exec(message)?.[0]]);
    expect(codes).toEqual([
      ['upload_refused', '401 invalid_credentials'],
      ['upload_refused', '403 tenant_mismatch'],
      ['upload_refused', '403 tenant_mismatch'],
    ]);
  });

  test('keeps events that a moved tenant refuses one by one, and sends them later', async () => {
    const { agent, service, notices } = await startScene();
    await agent.record(detection(1));
    await agent.record(detection(2));
    const error = { code: 'tenant_mismatch', message: 'No.', status: 403 };
    service.state.script.push((events) => [
      200,
      { results: events.map(({ event_id }) => ({ event_id, status: 403, error })) },
    ]);
    expect(await agent.flush()).toBe(false);
    expect(agent.health()).toMatchObject({
      store: { waiting: 2, refused: 0 },
      upload: { state: 'backing_off', refusal: 'tenant_mismatch' },
    });
    expect(notices.map(({ kind }) => kind)).toEqual(['upload_refused']);
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(2);
  });

  test('stops when the device is revoked, reports it once, and resumes on request', async () => {
    const { agent, service, notices } = await startScene();
    await agent.record(detection(1));
    service.state.script.push(refusal(403, 'device_revoked', 'The device is revoked.'));
    expect(await agent.flush()).toBe(false);
    expect(await agent.flush()).toBe(false);
    expect(service.batches).toHaveLength(1);
    expect(agent.health().upload).toMatchObject({
      state: 'stopped',
      refusal: 'device_revoked',
      reason: expect.stringContaining('is revoked'),
    });
    expect(notices.map(({ kind }) => kind)).toEqual(['upload_stopped']);
    agent.resume();
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(1);
  });

  test('waits as long as Retry-After asks, even across flushes', async () => {
    const { agent, service } = await startScene();
    await agent.record(detection(1));
    const [status, body] = refusal(429, 'rate_limited');
    service.state.script.push([status, body, { 'retry-after': '600' }]);
    expect(await agent.flush()).toBe(false);
    expect(await agent.flush()).toBe(false);
    expect(service.batches).toHaveLength(1);
    const { state, nextAttemptAt } = agent.health().upload;
    expect(state).toBe('backing_off');
    expect(Date.parse(nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 590_000);
  });

  test('works with a clock a week behind, and keeps the time of the event', async () => {
    const week = 7 * 24 * 3600;
    const { agent, service, notices } = await startScene({ clock: secondsFromNow(-week) });
    await agent.record(detection(1));
    expect(await agent.flush()).toBe(true);
    expect(service.feed.size).toBe(1);
    expect(notices.map(({ kind }) => kind)).toEqual(['clock_off']);
    expect(agent.health().clockAheadMs).toBeLessThan(-(week - 60) * 1000);
    const [event] = service.feed.values();
    expect(Date.parse(event?.timestamp ?? '')).toBeLessThan(Date.now() - (week - 60) * 1000);
  });

  test('holds an event from the future until its time has come, and sends the others', async () => {
    let aheadMs = 3_600_000;
    const clock = { nowMs: () => Date.now() + aheadMs, sleep: systemClock.sleep };
    const { agent, service } = await startScene({ clock });
    const { eventId } = await agent.record(detection(1));
    expect(await agent.flush()).toBe(false);
    expect(service.batches).toEqual([]);
    aheadMs = 0;
    await agent.refreshPolicies();
    await agent.record(detection(2));
    expect(await agent.flush()).toBe(false);
    expect([...service.feed.values()]).toMatchObject([{ description: 'Detection 2' }]);
    service.clock.nowMs = () => Date.now() + 3_600_000;
    await agent.refreshPolicies();
    expect(await agent.flush()).toBe(true);
    expect([...service.feed.keys()].at(-1)).toBe(eventId);
  });

  test('sends no event before the service has answered: a portal does not count', async () => {
    const { agent, service } = await startScene();
    service.state.policyReply = [403, '<h1>Please log in</h1>'];
    await agent.record(detection(1));
    expect(await agent.flush()).toBe(false);
    expect(service.batches).toEqual([]);
    expect(agent.health().upload).toMatchObject({ state: 'backing_off', lastContactAt: undefined });
    service.state.policyReply = undefined;
    expect(await agent.flush()).toBe(true);
  });

  test('does not wait longer when the clock is set back', async () => {
    let aheadMs = 0;
    const clock = { nowMs: () => Date.now() + aheadMs, sleep: systemClock.sleep };
    const { agent, service } = await startScene({ clock });
    await agent.record(detection(1));
    const [status, body] = refusal(503, 'unavailable');
    service.state.script.push([status, body, { 'retry-after': '60' }]);
    expect(await agent.flush()).toBe(false);
    // Further than an event may be ahead of the service's clock and still wait.
    aheadMs = -25 * 3_600_000;
    await agent.flush();
    expect(service.feed.size).toBe(1);
  });

  test('continues after a restart in the same chain', async () => {
    const { agent, service, open } = await startScene();
    await agent.record(detection(1));
    await agent.flush();
    await agent.record(detection(2));
    await agent.close();
    const again = await open();
    await again.record(detection(3));
    expect(await again.flush()).toBe(true);
    expect([...service.feed.values()].map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test('stores only valid error codes of the service', async () => {
    const { agent, service, notices, open } = await startScene();
    const ids: string[] = [];
    for (const number of [1, 2, 3]) ids.push((await agent.record(detection(number))).eventId);
    const codes = ['x'.repeat(300_000), 'two\r\nlines', { code: 'nested' }];
    service.state.script.push((events) => [
      200,
      {
        results: events.map(({ event_id }, index) => ({
          event_id,
          status: 422,
          error: { code: codes[index], message: 'No.', status: 422 },
        })),
      },
    ]);
    expect(await agent.flush()).toBe(true);
    expect(notices).toMatchObject([{ message: expect.stringContaining('(unknown)') }]);
    await agent.close();
    const again = await open();
    expect(again.health().store).toMatchObject({ waiting: 0, refused: 3, damaged: 0 });
    expect(await again.find(ids[0] ?? '')).toMatchObject({ refusal: { status: 422, code: 'unknown' } });
  });

  test('is not blocked by policies that this agent does not support', async () => {
    const { agent, service } = await startScene();
    service.state.policies = [{ policy_id: 'pol_1', action: 'quarantine' } as never];
    await agent.record(detection(1));
    expect(await agent.flush()).toBe(true);
    expect(agent.health().policies).toEqual({ count: 0, confirmedAt: undefined });
  });

  test('backs off after a second misdated signature, so that two clocks cause no loop', async () => {
    const { agent, service } = await startScene();
    await agent.record(detection(1));
    const otherClock = () => {
      const isAhead = service.batches.length % 2 === 1;
      service.clock.nowMs = () => Date.now() + (isAhead ? 55_000 : 0);
      return refusal(401, 'invalid_signature');
    };
    service.state.script.push(...Array(20).fill(otherClock));
    expect(await agent.flush()).toBe(false);
    expect(service.batches).toHaveLength(2);
    expect(agent.health().upload.state).toBe('backing_off');
  });

  test('continues after a wait when the stop notice handler resumes it', async () => {
    const { agent, service, open } = await startScene();
    await agent.close();
    const waits: number[] = [];
    const clock = {
      nowMs: Date.now,
      sleep: (ms: number, signal: AbortSignal) => {
        if (ms === 10_000) waits.push(ms);
        return systemClock.sleep(ms === 10_000 ? 1 : ms, signal);
      },
    };
    const onNotice = () => resumed.resume();
    const resumed = await open({ autonomous: true, clock, onNotice });
    service.state.script.push(refusal(403, 'device_revoked'));
    await resumed.record(detection(1));
    await expect.poll(() => service.feed.size).toBe(1);
    expect(waits).toEqual([10_000]);
  });

  test('and closing do not wait for a credential that never arrives', async () => {
    const { agent, open } = await startScene();
    await agent.close();
    const waiting = await open({ credential: () => new Promise(() => {}), timeoutMs: 20 });
    await waiting.record(detection(1));
    expect(await waiting.flush()).toBe(false);
    expect(waiting.health().upload).toMatchObject({ state: 'backing_off' });
    await waiting.close();
  });
});
