import type { Event } from '@tps/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryEvent } from './testing/arbitrary-event.ts';
import { checkAgainst, readSchema, readWords } from './testing/check-against.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { type StixBundle, toStixBundle } from './to-stix.ts';

const schema = readSchema('stix-2.1');
const words = readWords<{
  types: string[];
  vocabularies: Record<'indicator-type-ov' | 'identity-class-ov' | 'pattern-type-ov', string[]>;
  hash_algorithms: string[];
}>('stix-2.1-words');

/** Returns the errors of a bundle and its objects. */
function checkBundle(bundle: StixBundle): string[] {
  return [
    ...checkAgainst(schema, 'bundle', bundle),
    ...bundle.objects.flatMap((object) => checkAgainst(schema, object.type, object)),
    ...bundle.objects.flatMap(checkWords),
    ...bundle.objects.flatMap(({ type, id }) =>
      id.startsWith(`${type}--`) ? [] : [`${id} is not of type ${type}`],
    ),
  ];
}

/** Returns the words that the published schemas do not have. */
function checkWords(object: Readonly<Record<string, unknown>>): string[] {
  const used: [known: readonly string[], values: unknown][] = [
    [words.types, [object.type]],
    [words.vocabularies['identity-class-ov'], [object.identity_class ?? []].flat()],
    [words.vocabularies['indicator-type-ov'], object.indicator_types ?? []],
    [words.vocabularies['pattern-type-ov'], [object.pattern_type ?? []].flat()],
    [words.hash_algorithms, Object.keys(object.hashes ?? {})],
  ];
  return used.flatMap(([known, values]) => (values as string[]).filter((value) => !known.includes(value)));
}

const ofType = (bundle: StixBundle, type: string) => bundle.objects.filter((object) => object.type === type);

test('any events become a bundle of valid objects', () => {
  fc.assert(
    fc.property(fc.array(arbitraryEvent, { minLength: 1, maxLength: 3 }), (events) => {
      const bundle = toStixBundle(events);
      expect(checkBundle(bundle)).toEqual([]);
      const ids = bundle.objects.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 100 },
  );
});

test('the same events produce the same bundle; tenants share observables only', () => {
  const bundle = toStixBundle([sampleEvent()]);
  expect(toStixBundle([sampleEvent()])).toEqual(bundle);
  const other = new Set(toStixBundle([sampleEvent({ tenant_id: 'tnt_b' })]).objects.map(({ id }) => id));
  expect(bundle.objects.filter(({ id }) => other.has(id)).map(({ type }) => type)).toEqual([
    'file',
    'ipv4-addr',
  ]);
});

test('the ids of observables follow the standard', () => {
  const bundle = toStixBundle([sampleEvent({ indicators: ['198.51.100.3', 'domain:example.com'] })]);
  // Examples of the standard.
  expect(ofType(bundle, 'ipv4-addr')[0]?.id).toBe('ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4');
  expect(ofType(bundle, 'domain-name')[0]?.id).toBe('domain-name--bedb4899-d24b-5401-bc86-8f6b4cc18ec7');
});

test('an indicator that STIX cannot express is in the note and has no pattern', () => {
  const bundle = toStixBundle([sampleEvent()]);
  expect(ofType(bundle, 'indicator').map(({ pattern }) => pattern)).toEqual([
    "[file:hashes.'SHA-256' = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855']",
  ]);
  expect(ofType(bundle, 'note')[0]?.content).toContain('Indicator: npm:left-padd@1.0.3');
  expect(ofType(bundle, 'sighting')).toHaveLength(1);
});

test('an allowed event has no STIX indicator', () => {
  const bundle = toStixBundle([sampleEvent({ action_taken: 'allow' })]);
  expect(bundle.objects.map(({ type }) => type)).toEqual([
    'identity',
    'identity',
    'file',
    'ipv4-addr',
    'observed-data',
    'note',
  ]);
});

test("a correction's note refers to the note of the corrected event", () => {
  const root = ofType(toStixBundle([sampleEvent()]), 'note')[0]?.id;
  const correction = sampleEvent({ event_id: 'evt_2', corrects_event_id: 'evt_1' });
  expect(ofType(toStixBundle([correction]), 'note')[0]?.object_refs).toContain(root);
});

test('an address that the service has shortened is observed, and no indicator', () => {
  const indicators = ['203.0.113.0/24', '2001:db8:1::/48', '198.51.100.3'];
  const bundle = toStixBundle([sampleEvent({ indicators })]);
  expect(ofType(bundle, 'ipv4-addr')).toHaveLength(2);
  expect(ofType(bundle, 'ipv6-addr')).toHaveLength(1);
  expect(ofType(bundle, 'indicator').map(({ pattern }) => pattern)).toEqual([
    "[ipv4-addr:value = '198.51.100.3']",
  ]);
});

test('a value in several events and bundles is one indicator with a sighting for each event', () => {
  const [one, two] = ['evt_1', 'evt_2'].map((event_id) =>
    sampleEvent({ event_id, indicators: ['evil.com'], severity: event_id === 'evt_1' ? 'low' : 'high' }),
  ) as [Event, Event];
  const both = toStixBundle([one, two]);
  const [indicator, ...others] = ofType(both, 'indicator');
  expect(others).toEqual([]);
  expect(ofType(both, 'sighting').map((sighting) => sighting.sighting_of_ref)).toEqual([
    indicator?.id,
    indicator?.id,
  ]);
  for (const event of [one, two]) expect(ofType(toStixBundle([event]), 'indicator')).toEqual([indicator]);
});

test.each([
  ['evil.com', 'evil.com'],
  ['Login.Bank-Desk.co.uk', 'login.bank-desk.co.uk'],
  ['parcel-desk.example', 'parcel-desk.example'],
  ['invoice.pdf', undefined],
  ['com.evil.app', undefined],
  ['pkg:org.example.app', undefined],
])('%s is the domain %s', (indicator, value) => {
  const bundle = toStixBundle([sampleEvent({ indicators: [indicator] })]);
  expect(ofType(bundle, 'domain-name').map((object) => object.value)).toEqual(value ? [value] : []);
});

test.each([
  ['invoice.zip', false],
  ['Setup.SH', false],
  ['photo.2024.mov', false],
  ['README.md', false],
  ['parcel-desk.example', false],
  ['domain:parcel-desk.test', false],
  ['domain:invoice.zip', true],
  ['sender-domain:invoice.zip', true],
  ['evil.web.app', true],
  ['sklep-login.pl', true],
  ['evil.onion', true],
])('%s is observed, and whether it is a STIX indicator is %s', (indicator, isIndicator) => {
  const bundle = toStixBundle([sampleEvent({ indicators: [indicator] })]);
  expect(ofType(bundle, 'domain-name')).toHaveLength(1);
  expect(ofType(bundle, 'observed-data')).toHaveLength(1);
  expect(ofType(bundle, 'indicator')).toHaveLength(isIndicator ? 1 : 0);
  expect(ofType(bundle, 'sighting')).toHaveLength(isIndicator ? 1 : 0);
});
