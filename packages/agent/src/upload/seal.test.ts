import { redactEvent } from '@tps/detection';
import canonicalize from 'canonicalize';
import { describe, expect, test } from 'vitest';
import { eventNumber } from '../testing/sample-event.ts';
import { sha256Hex } from '../testing/store-ground.ts';
import { createSeal } from './seal.ts';

const seal = createSeal({ sha256Hex, redactEvent });
const hashOf = (event: object | undefined) => sha256Hex(canonicalize(event) ?? '');

describe('sealing', () => {
  test('numbers events from 1, and each names the one before it as sent', () => {
    const secret = { ...eventNumber(2), description: 'Call +49 30 901820 or anna@mail.example' };
    const { events, end } = seal([eventNumber(1), secret, eventNumber(3)], { sequence: 0, hash: undefined });
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(events.map(({ previous_event_hash: previous }) => previous)).toEqual([
      undefined,
      hashOf(events[0]),
      hashOf(events[1]),
    ]);
    expect(events[1]?.description).toBe('Call [phone] or [email]');
    expect(end).toEqual({ sequence: 3, hash: hashOf(events[2]) });
  });

  test('continues where it ended', () => {
    const whole = seal([eventNumber(1), eventNumber(2)], { sequence: 0, hash: undefined });
    const first = seal([eventNumber(1)], { sequence: 0, hash: undefined });
    const second = seal([eventNumber(2)], first.end);
    expect([...first.events, ...second.events]).toEqual(whole.events);
  });

  test('declares a gap for missing events: skips their numbers and names no event', () => {
    const { events } = seal([eventNumber(1), eventNumber(2)], { sequence: 7, hash: undefined });
    expect(events[0]).toMatchObject({ sequence: 8 });
    expect(events[0]).not.toHaveProperty('previous_event_hash');
    expect(events[1]).toMatchObject({ sequence: 9, previous_event_hash: hashOf(events[0]) });
  });

  test('shortens what redaction made longer than the contract allows', () => {
    const links = Array.from({ length: 300 }, (_, number) => `https://x.example/${number}`);
    const event = {
      ...eventNumber(1),
      description: links.join(' ').slice(0, 4096),
      indicators: [links.slice(0, 20).join(' ')],
      metadata: {
        agent_version: '1',
        device_platform: 'linux' as const,
        links: links.slice(0, 100),
        note: 'kept',
      },
    };
    const [sealed] = seal([event], { sequence: 0, hash: undefined }).events;
    const [linked] = seal(
      [{ ...event, metadata: { agent_version: links[0] ?? '', model_version: links[1] ?? '' } }],
      { sequence: 0, hash: undefined },
    ).events;
    expect(linked?.metadata?.agent_version).toMatch(/^url:sha256:[0-9a-f]{52}…$/);
    expect(linked?.metadata?.model_version).toHaveLength(64);
    expect(sealed?.description?.length).toBeLessThanOrEqual(4096);
    expect(sealed?.description).toMatch(/ url:sha256:[0-9a-f]{64}…$/);
    expect(sealed?.indicators?.[0]?.length).toBeLessThanOrEqual(512);
    expect(sealed?.metadata).toEqual({
      agent_version: '1',
      device_platform: 'linux',
      note: 'kept',
      redaction_cut: true,
    });
  });
});
