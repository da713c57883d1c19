import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PRODUCT } from './product.ts';
import { arbitraryEvent } from './testing/arbitrary-event.ts';
import { readWords } from './testing/check-against.ts';
import { parseCef } from './testing/parse-cef.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { CEF_LINE_LIMIT_BYTES, toCef, toSyslogCef } from './to-cef.ts';

const words = readWords<{
  extensions: Record<string, { type: keyof typeof FORMS; length?: number }>;
  severities: { ranges: Record<string, [from: number, to: number]> };
}>('cef-words');
const FORMS = {
  String: /^.*$/s,
  Long: /^\d{1,18}$/,
  'Floating Point': /^\d+(?:\.\d+)?(?:e-\d+)?$/,
  // Milliseconds since 1970.
  TimeStamp: /^\d{13}$/,
};

/** Returns the members of an extension that the published dictionary does not have, or not of this type and length. */
function checkWords(extension: Record<string, string>): string[] {
  return Object.entries(extension).flatMap(([key, value]) => {
    const { type, length = Number.POSITIVE_INFINITY } = words.extensions[key] ?? {};
    return type !== undefined && FORMS[type].test(value) && value.length <= length ? [] : [`${key}=${value}`];
  });
}

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
      // RFC 5424 section 6: the longest host name, application name and message id.
      expect(line).toMatch(/^<\d{2}>1 \S+ [!-~]{1,255} [!-~]{1,48} - [!-~]{1,32} - CEF:0\|/);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(CEF_LINE_LIMIT_BYTES);
      const { header, extension } = parseCef(toCef(event));
      expect(header).toHaveLength(6);
      expect(checkWords(extension)).toEqual([]);
      expect(extension.externalId ?? extension.flexString2).toBe(event.event_id);
      expect(extension).toMatchObject({
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

test.each([
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['critical', 'Very-High'],
] as const)('the severity %s is one that CEF calls %s', (severity, published) => {
  const [from = Number.NaN, to] = words.severities.ranges[published] ?? [];
  const severityOf = Number(parseCef(toCef(sampleEvent({ severity }))).header[5]);
  expect(severityOf).toBeGreaterThanOrEqual(from);
  expect(severityOf).toBeLessThanOrEqual(to ?? Number.NaN);
});

test('an event id that is too long for externalId is whole in another field', () => {
  const fitting = `evt_${'a'.repeat(36)}`;
  expect(parseCef(toCef(sampleEvent({ event_id: fitting }))).extension).toMatchObject({
    externalId: fitting,
  });
  const { extension } = parseCef(toCef(sampleEvent({ event_id: `${fitting}b` })));
  expect(extension).toMatchObject({ flexString2: `${fitting}b`, flexString2Label: 'eventId' });
  expect(extension).not.toHaveProperty('externalId');
});

test('the longest possible event stays within the limit', () => {
  const worst = '\u20ac'.repeat(4096);
  const line = toSyslogCef(
    sampleEvent({
      event_id: `evt_${'a'.repeat(64)}`,
      corrects_event_id: `evt_${'b'.repeat(64)}`,
      device_id: `dev_${'c'.repeat(64)}`,
      policy_id: `pol_${'d'.repeat(64)}`,
      tenant_id: `tnt_${'e'.repeat(64)}`,
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
