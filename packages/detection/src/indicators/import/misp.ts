import type { ThreatType } from '../../threat-type.ts';
import type { IndicatorType } from '../indicator.ts';
import { type Collector, ImportError } from './collector.ts';
import { type PlainObject, toList, toObject, toOptionalText } from './plain-object.ts';

/** The attribute types that can be looked up, by MISP's name. */
const TYPES: Readonly<Record<string, IndicatorType>> = {
  domain: 'domain',
  hostname: 'domain',
  'ip-src': 'domain',
  'ip-dst': 'domain',
  'domain|ip': 'domain',
  'hostname|port': 'domain',
  'ip-src|port': 'domain',
  'ip-dst|port': 'domain',
  url: 'url',
  sha256: 'sha256',
  'filename|sha256': 'sha256',
  'mobile-application-id': 'package',
  'x509-fingerprint-sha256': 'certificate',
  'x509-fingerprint-sha1': 'certificate',
};
/** The part of these, before or after the bar, that is looked up. */
const PARTS: Readonly<Record<string, 0 | 1>> = {
  'domain|ip': 0,
  'hostname|port': 0,
  'ip-src|port': 0,
  'ip-dst|port': 0,
  'filename|sha256': 1,
};

/**
 * Reads events of MISP: one, a list, or a response of its API to a search of events, attributes or objects. Only
 * attributes that are meant for detection are imported.
 */
export function readMisp(content: unknown, collector: Collector): void {
  const events = eventsOf(content);
  if (events === undefined) throw new ImportError('this is not a MISP event');
  for (const event of events) {
    const info = toOptionalText(event.info);
    readAttributes(event, { collector, label: info });
    for (const each of oneOrMore(event.Object)) {
      const object = toObject(each);
      if (object.deleted === true) collector.skip(idOf(object), 'it was deleted');
      else readAttributes(object, { collector, label: nameIn(object) ?? info });
    }
  }
}

/** Undefined for anything else. A search that found nothing is empty. */
function eventsOf(content: unknown): readonly PlainObject[] | undefined {
  const { response } = toObject(content);
  const attributes = toObject(response).Attribute;
  if (Array.isArray(attributes)) return [{ Attribute: attributes }];
  const events = oneOrMore(response ?? content)
    .map((each) => toObject(toObject(each).Event ?? each))
    .filter((event) =>
      [event.Attribute, event.Object].some((each) => typeof each === 'object' && each !== null),
    );
  const isEmptySearch = Array.isArray(response) && response.length === 0;
  return events.length > 0 || isEmptySearch ? events : undefined;
}

/** MISP writes one item in place of a list of one. */
function oneOrMore(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

function readAttributes(
  holder: PlainObject,
  { collector, label }: { readonly collector: Collector; readonly label: string | undefined },
): void {
  for (const each of oneOrMore(holder.Attribute)) {
    const attribute = toObject(each);
    const where = idOf(attribute);
    const name = toOptionalText(attribute.type) ?? '';
    const type = typeOf(name, attribute);
    // A name, a comment or a link to a report is not meant for detection.
    if (attribute.to_ids !== true) continue;
    if (attribute.deleted === true) collector.skip(where, 'it was deleted');
    else if (isDoubted(attribute)) collector.skip(where, 'a MISP warning list marks it as benign');
    else if (type === undefined) collector.skip(where, 'its type is not supported');
    else {
      const value = toOptionalText(attribute.value) ?? '';
      collector.add({
        type,
        value: readTypedValue(name, value)?.value ?? value,
        where,
        // In a search of attributes, each names its event.
        label: label ?? toOptionalText(toObject(attribute.Event).info),
        threatType: threatTypeOf(type, attribute),
      });
    }
  }
}

/**
 * MISP states which of its warning lists an attribute is on: for false positives, or only for known values.
 */
function isDoubted({ warnings }: PlainObject): boolean {
  return toList(warnings).some((each) => toObject(each).warninglist_category !== 'known');
}

/** Returns the type of an attribute by MISP's name, and the part of its value that is looked up. */
export function readTypedValue(
  name: string,
  value: string,
): { type: IndicatorType; value: string } | undefined {
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  const part = PARTS[name];
  return type && { type, value: part === undefined ? value : (value.split('|')[part] ?? '') };
}

function typeOf(name: string, { object_relation: relation }: PlainObject): IndicatorType | undefined {
  // MISP's object for apps stores certificates as a plain hash.
  if (relation === 'certificate' && (name === 'sha1' || name === 'sha256')) return 'certificate';
  return Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
}

function threatTypeOf(type: IndicatorType, { category }: PlainObject): ThreatType {
  if (category === 'Payload delivery' || category === 'Payload installation') return 'malware';
  return type === 'domain' || type === 'url' ? 'known_indicator' : 'malware';
}

function nameIn(object: PlainObject): string | undefined {
  const named = oneOrMore(object.Attribute)
    .map(toObject)
    .find(({ object_relation: relation }) => relation === 'name');
  return toOptionalText(named?.value);
}

function idOf({ uuid }: PlainObject): string {
  return toOptionalText(uuid) ?? 'an attribute without a uuid';
}
