import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PRODUCT } from './product.ts';
import { arbitraryEvent } from './testing/arbitrary-event.ts';
import { checkAgainst, readSchema, readWords } from './testing/check-against.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { toOcsf } from './to-ocsf.ts';

const schema = readSchema('ocsf-1.7.0');
const { class: published, captions } = readWords<{
  class: { uid: number; caption: string; category_uid: number; category: string };
  captions: Record<string, Record<string, string>>;
}>('ocsf-1.7.0-words');

/** Each name beside an id is the caption of that id in the published schema. */
function expectPublishedWords(finding: Record<string, unknown>): void {
  const words = finding as Record<string, string> & {
    device: Record<string, string> & { os?: Record<string, string> };
    observables?: Record<string, string>[];
    finding_info: { analytic: Record<string, string>; related_analytics?: Record<string, string>[] };
  };
  expect(words).toMatchObject({
    class_uid: published.uid,
    class_name: published.caption,
    category_uid: published.category_uid,
    category_name: published.category,
    type_name: `${published.caption}: ${words.activity_name}`,
    activity_name: captions.activity?.[words.activity_id ?? ''],
  });
  for (const name of ['severity', 'status', 'confidence', 'action', 'disposition']) {
    expect(words[name]).toBe(captions[name]?.[words[`${name}_id`] ?? '']);
  }
  const { device, observables = [], finding_info: info } = words;
  const typed = [
    ['device', device],
    ['analytic', info.analytic],
    ...(info.related_analytics ?? []).map((each) => ['analytic', each] as const),
    ...(device.os ? [['os', device.os] as const] : []),
    ...observables.map((each) => ['observable', each] as const),
  ] as [string, Record<string, string>][];
  for (const [name, { type_id = '', type }] of typed) expect(type).toBe(captions[name]?.[type_id]);
}

test('any event becomes a Detection Finding that the schema allows', () => {
  fc.assert(
    fc.property(arbitraryEvent, (event) => {
      const finding = toOcsf(event);
      expect(checkAgainst(schema, 'detection_finding', finding)).toEqual([]);
      expectPublishedWords(finding);
    }),
    { numRuns: 200 },
  );
});

test('the check reports missing, unknown, mistyped and unlisted values', () => {
  const { class_uid: _, ...wrong }: Record<string, unknown> = {
    ...toOcsf(sampleEvent()),
    time: 1,
    severity_id: 9,
    extra: 1,
  };
  expect(checkAgainst(schema, 'detection_finding', { ...wrong, observables: [] })).toEqual([
    'detection_finding.time: 1 is not epoch_ms',
    'detection_finding.severity_id: 9 is not known',
    'detection_finding.observables: empty',
    'detection_finding.extra: unknown',
    'detection_finding.class_uid: missing',
  ]);
});

test('every member of an event is mapped', () => {
  const finding = toOcsf(sampleEvent({ sequence: 7, previous_event_hash: 'ab'.repeat(32) }));
  expect(finding).toMatchObject({
    class_uid: 2004,
    category_uid: 2,
    type_uid: 200401,
    time: Date.parse('2026-03-01T09:30:00.250Z'),
    severity_id: 4,
    confidence_score: 94,
    confidence_id: 3,
    action_id: 2,
    disposition_id: 2,
    is_alert: true,
    message: 'Package installed from [email]',
    policy: { uid: 'pol_app-guard' },
    device: { uid: 'dev_reception', os: { type_id: 201 } },
    metadata: { uid: 'evt_1', tenant_uid: 'tnt_a', sequence: 7, product: { version: PRODUCT.version } },
    finding_info: { uid: 'evt_1', title: 'Malicious app: block', types: ['malicious_app'] },
    observables: [{ type_id: 8 }, { type_id: 8 }, { type_id: 12, value: '203.0.113.0/24' }, { type_id: 99 }],
    unmapped: { confidence: 0.936, previous_event_hash: 'ab'.repeat(32) },
  });
});

test.each([
  ['allow', { action_id: 1, disposition_id: 1, is_alert: false }],
  ['warn', { action_id: 3, disposition_id: 19, is_alert: true }],
  ['block', { action_id: 2, disposition_id: 2, is_alert: true }],
] as const)('the action %s has its own disposition', (action_taken, expected) => {
  expect(toOcsf(sampleEvent({ action_taken }))).toMatchObject(expected);
});

test('a correction updates the finding of its event, and a correction to allow closes it', () => {
  const correction = { event_id: 'evt_2', corrects_event_id: 'evt_1', correction_reason: 'a test' };
  const update = toOcsf(sampleEvent({ ...correction, action_taken: 'warn' }));
  expect(update).toMatchObject({ type_uid: 200402, comment: 'a test', finding_info: { uid: 'evt_1' } });
  const close = toOcsf(sampleEvent({ ...correction, action_taken: 'allow' }));
  expect(close).toMatchObject({ type_uid: 200403, status_id: 3, metadata: { uid: 'evt_2' } });
});
