import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PRODUCT } from './product.ts';
import { arbitraryEvent } from './testing/arbitrary-event.ts';
import { parseCef } from './testing/parse-cef.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { CEF_LINE_LIMIT_BYTES, toCef, toSyslogCef } from './to-cef.ts';

/** Returns a value with normalized line feeds and without control characters. */
function readable(text: string): string {
  return text
    .replace(/\r\n|\r/g, '\n')
    .replace(/[^\P{Cc}\n]|[\u2028\u2029]/gu, ' ')
    .replace(/[\ud800-\udfff]/gu, '\ufffd');
}

test('any event is one line within the limit that parses to the same values', () => {
  fc.assert(
    fc.property(arbitraryEvent, (event) => {
      const line = toSyslogCef(event);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(CEF_LINE_LIMIT_BYTES);
      const { header, extension } = parseCef(toCef(event));
      expect(header).toHaveLength(6);
      expect(extension).toMatchObject({
        externalId: event.event_id,
        deviceExternalId: event.device_id,
        act: event.action_taken,
        cat: event.threat_category,
        cs1: event.policy_id,
        cs1Label: 'policyId',
      });
      const { description } = event;
      if (description !== undefined && description.length <= 1_000) {
        expect(extension.msg).toBe(readable(description));
      }
    }),
    { numRuns: 200 },
  );
});

test('the longest possible event stays within the limit', () => {
  const worst = '\u20ac'.repeat(4096);
  const line = toSyslogCef(
    sampleEvent({
      description: worst,
      correction_reason: '='.repeat(1024),
      indicators: Array.from({ length: 64 }, () => worst.slice(0, 512)),
      metadata: { model_version: worst, agent_version: worst },
    }),
  );
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(CEF_LINE_LIMIT_BYTES);
});

test('text cannot end a header field, start another key or end the line', () => {
  const line = toCef(
    sampleEvent({ description: 'a|b\\c\nd act=allow', metadata: { agent_version: '1=2\\3\n4' } }),
  );
  expect(line).toContain('flexString1=1\\=2\\\\3\\n4 ');
  expect(line).toContain('msg=a|b\\\\c\\nd act\\=allow ');
  expect(parseCef(line).extension).toMatchObject({ act: 'block', msg: 'a|b\\c\nd act=allow' });
});

test('a line has the format of the standard', () => {
  expect(toSyslogCef(sampleEvent({ description: 'Seen', indicators: [], metadata: {} }))).toBe(
    '<35>1 2026-03-01T09:30:00.250Z dev_reception tps - malicious_app - ' +
      `CEF:0|TPS|Threat Protection Service|${PRODUCT.version}|malicious_app.block|Malicious app: block|8|` +
      'rt=1772357400250 externalId=evt_1 deviceExternalId=dev_reception act=block cat=malicious_app msg=Seen ' +
      'cfp1=0.936 cfp1Label=confidence cs1=pol_app-guard cs1Label=policyId cs2=tnt_a cs2Label=tenantId',
  );
});

test.each([
  [20, 20],
  [64, 61],
])('of %i hashes, %i are there whole, and the others are counted', (count, whole) => {
  const hashes = Array.from({ length: count }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'));
  const { extension } = parseCef(toCef(sampleEvent({ indicators: hashes })));
  expect(extension.cs3?.split(',')).toEqual(hashes.slice(0, whole));
  const omitted = { cn2: String(count - whole), cn2Label: 'omittedIndicators' };
  if (whole < count) expect(extension).toMatchObject(omitted);
  else expect(extension).not.toHaveProperty('cn2');
});

test('a text that is too long ends in an ellipsis, between words', () => {
  const { extension } = parseCef(toCef(sampleEvent({ description: 'word '.repeat(400) })));
  expect(extension.msg).toMatch(/ word…$/);
  expect(extension.msg?.length).toBeLessThanOrEqual(1023);
});
