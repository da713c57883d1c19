import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactEvent, redactEventInSteps } from './redact-event.ts';
import { redactText } from './redact-text.ts';

describe('redacting an event', () => {
  it('redacts description, correction reason, indicators, metadata values and metadata keys', () => {
    const redacted = redactEvent({
      event_id: 'evt_1',
      description: 'Mail from jane@example.com',
      correction_reason: 'Mr. Smith confirmed',
      indicators: ['com.android.chrome', '192.168.1.77'],
      metadata: {
        device_platform: 'ios',
        peers: [{ 'jane@example.com': '2001:db8::1' }],
        count: 3,
        none: null,
      },
    });
    expect(redacted).toEqual({
      event_id: 'evt_1',
      description: 'Mail from [email]',
      correction_reason: 'Mr. [name] confirmed',
      indicators: ['com.android.chrome', '192.168.1.0/24'],
      metadata: { device_platform: 'ios', peers: [{ '[email]': '2001:db8::/48' }], count: 3, none: null },
    });
  });

  it('returns the same object when there is nothing to redact', () => {
    const event = {
      description: 'Overlay detected',
      indicators: ['a'.repeat(64)],
      metadata: { a: [{ b: 1 }] },
    };
    expect(redactEvent(event)).toBe(event);
    expect(redactEvent({})).toEqual({});
  });

  it('never changes its argument and keeps untouched parts identical', () => {
    const event = {
      description: 'a@b.co',
      indicators: ['x'],
      metadata: { deep: { mail: 'a@b.co' }, kept: { x: 1 } },
    };
    const before = structuredClone(event);
    const redacted = redactEvent(event);
    expect(event).toEqual(before);
    expect(redacted.indicators).toBe(event.indicators);
    expect(redacted.metadata.kept).toBe(event.metadata.kept);
  });

  it('keeps keys distinct that redaction would make equal', () => {
    const metadata = { 'a@b.co': 1, '[email]': 2, 'c@d.co': 3, 'e@f.co': 4 };
    const { metadata: redacted } = redactEvent({ metadata });
    expect(redacted).toEqual({ '[email]~2': 1, '[email]': 2, '[email]~3': 3, '[email]~4': 4 });
    expect(redactEvent({ metadata: redacted }).metadata).toBe(redacted);
  });

  it('keeps a version of four parts under a version key', () => {
    const event = { metadata: { agent_version: '1.2.3.4', osVersion: '10.0.0.17' } };
    expect(redactEvent(event)).toBe(event);
    expect(redactEvent({ metadata: { address: '1.2.3.4' } }).metadata).toEqual({ address: '1.2.3.0/24' });
    expect(redactEvent({ metadata: { version: 'at 1.2.3.4' } }).metadata).toEqual({
      version: 'at 1.2.3.0/24',
    });
  });

  it('keeps a key named __proto__ a plain key', () => {
    const metadata = JSON.parse('{"__proto__":{"mail":"a@b.co"}}') as Record<string, unknown>;
    expect(JSON.stringify(redactEvent({ metadata }))).toBe('{"metadata":{"__proto__":{"mail":"[email]"}}}');
  });

  it('drops values that are nested too deep', () => {
    const depth = 100_000;
    const metadata = JSON.parse(`{"a":${'['.repeat(depth)}"a@b.co"${']'.repeat(depth)}}`) as Record<
      string,
      unknown
    >;
    const redacted = redactEvent({ metadata });
    const text = JSON.stringify(redacted);
    expect(text).toContain('[redacted]');
    expect(text).not.toContain('a@b.co');
    expect(redactEvent(redacted)).toBe(redacted);
  });

  it('is idempotent over metadata of any shape', () => {
    const text = fc.constantFrom(
      'a@b.co',
      'c@d.co',
      '[email]',
      '[email]~2',
      '1.2.3.4',
      'version',
      'Jane Doe',
      'x',
      '',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.array(tie('tree')),
        fc.dictionary(text, tie('tree')),
      ),
    }));
    const isStable = (metadata: Record<string, unknown>): boolean => {
      const once = redactEvent({ metadata });
      return redactEvent(once) === once;
    };
    fc.assert(fc.property(fc.dictionary(text, tree), isStable));
  });

  it('pauses before each long text and after each pass that changes it', () => {
    const plain = 'overlay '.repeat(100);
    const pausesOf = (event: object) => [...redactEventInSteps(event)].length;
    expect(pausesOf({ description: 'Overlay detected', indicators: ['sig:1'] })).toBe(0);
    const metadata = { notes: [plain, { [plain]: 1 }] };
    expect(pausesOf({ description: plain, correction_reason: plain, indicators: [plain], metadata })).toBe(5);
    expect(pausesOf({ description: `${plain} a@b.co` })).toBe(2);
    expect(pausesOf({ indicators: ['1 '.repeat(2_000)] })).toBeGreaterThan(3);
  });

  it('leaves hashes of files unchanged, and redacts text that only begins with one', () => {
    const digits = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...'0123456789') },
      fc.constantFrom(...'abcdef'),
    );
    const hash = fc.string({ unit: digits, minLength: 64, maxLength: 64 }).map((hex) => `sha256:${hex}`);
    fc.assert(
      fc.property(hash, (indicator) => {
        expect(redactText(indicator)).toBe(indicator);
        expect(redactEvent({ indicators: [indicator] }).indicators).toEqual([indicator]);
        const longer = `${indicator} a@b.co`;
        expect(redactEvent({ indicators: [longer] }).indicators).toEqual([`${indicator} [email]`]);
      }),
      { numRuns: 1000 },
    );
  });
});
