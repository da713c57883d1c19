import type { ThreatType } from '../../threat-type.ts';
import type { IndicatorType } from '../indicator.ts';
import { parseTime } from '../parse-time.ts';
import { type Collector, ImportError } from './collector.ts';
import { type PlainObject, textsOf, toObject, toOptionalText } from './plain-object.ts';
import { PatternError, parsePattern } from './stix-pattern.ts';

/** The objects that can be looked up, by their path. The Mobile Verification Toolkit writes `app`. */
const TYPES: Readonly<Record<string, IndicatorType>> = {
  'domain-name:value': 'domain',
  'ipv4-addr:value': 'domain',
  'ipv6-addr:value': 'domain',
  'url:value': 'url',
  'file:hashes.sha256': 'sha256',
  'app:id': 'package',
  'app:cert.sha256': 'certificate',
  'app:cert.sha1': 'certificate',
  'x509-certificate:hashes.sha256': 'certificate',
  'x509-certificate:hashes.sha1': 'certificate',
};

/** The threat that an indicator is a sign of. */
interface Threat {
  readonly name: string | undefined;
  readonly threatType: ThreatType;
  readonly dualUse: boolean;
}

/**
 * Reads STIX 2.1: a bundle, the envelope of a TAXII server, or a list of objects or bundles. Only patterns that list alternatives are imported; other patterns are skipped
 * as a whole.
 */
export function readStix(content: unknown, collector: Collector): void {
  const objects = objectsOf(content);
  if (objects === undefined) throw new ImportError('this is not a STIX 2.1 bundle');
  const newest = newestOf(objects);
  const threats = threatsOf(newest);
  for (const object of newest) {
    if (object.type === 'indicator')
      readIndicator(object, threats.get(toOptionalText(object.id) ?? ''), collector);
  }
}

/** Undefined for anything else. */
function objectsOf(content: unknown): readonly PlainObject[] | undefined {
  if (Array.isArray(content)) {
    if (content.length === 0) return undefined;
    const found = content.map((each) => objectsOf(each) ?? (isObject(each) ? [toObject(each)] : undefined));
    return found.every((each) => each !== undefined) ? found.flat() : undefined;
  }
  const { type, objects, more } = toObject(content);
  const isHolder =
    type === 'bundle' || (type === undefined && (more !== undefined || Array.isArray(objects)));
  return isHolder && Array.isArray(objects) ? objects.map(toObject) : undefined;
}

/** Every object of STIX has a type and an id (section 3.2). */
function isObject(content: unknown): boolean {
  const { type, id } = toObject(content);
  return typeof type === 'string' && typeof id === 'string';
}

/** Returns the newest version of each object (section 3.6): earlier versions are no longer valid. */
function newestOf(objects: readonly PlainObject[]): readonly PlainObject[] {
  const versions = new Map<unknown, PlainObject[]>();
  for (const object of objects) {
    const id = toOptionalText(object.id) ?? object;
    const known = versions.get(id) ?? [];
    const [newest = object] = known;
    // Some programs give all objects one id and one time: none of them is a version of another.
    if (modifiedAt(object) === modifiedAt(newest)) versions.set(id, [...known, object]);
    else if (modifiedAt(object) > modifiedAt(newest)) versions.set(id, [object]);
  }
  return [...versions.values()].flat();
}

function modifiedAt({ modified }: PlainObject): number {
  return parseTime(modified) ?? Number.NEGATIVE_INFINITY;
}

function readIndicator(object: PlainObject, threat: Threat | undefined, collector: Collector): void {
  const where = toOptionalText(object.id) ?? 'an indicator without an id';
  const { revoked, pattern, pattern_type: patternType = 'stix', confidence } = object;
  if (revoked === true) {
    collector.skip(where, 'it was revoked');
    return;
  }
  if (wordsOf(object).includes('benign')) {
    collector.skip(where, 'it is marked as benign');
    return;
  }
  if (patternType !== 'stix' || typeof pattern !== 'string') {
    collector.skip(where, 'its pattern is not in STIX');
    return;
  }
  const unreadable = (['valid_from', 'valid_until'] as const).find((member) =>
    hasUnreadableTime(object, member),
  );
  if (unreadable !== undefined) {
    collector.skip(where, `its ${unreadable} is not a time`);
    return;
  }
  try {
    const found = parsePattern(pattern).map(({ path, value }) => ({ type: typeAt(path), value }));
    for (const { type, value } of found) {
      collector.add({
        type,
        value,
        where,
        threatType: threat?.threatType ?? threatTypeOf(object, type),
        dualUse: threat?.dualUse,
        label: threat?.name ?? toOptionalText(object.name),
        confidence: typeof confidence === 'number' ? Math.min(Math.max(confidence / 100, 0), 1) : undefined,
        validFromMs: parseTime(object.valid_from),
        validUntilMs: parseTime(object.valid_until),
      });
    }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    collector.skip(where, error.message);
  }
}

/** Without its end, an indicator would be valid for ever. Some programs write null for no end. */
function hasUnreadableTime(object: PlainObject, member: 'valid_from' | 'valid_until'): boolean {
  const time = object[member] ?? undefined;
  return time !== undefined && parseTime(time) === undefined;
}

function typeAt(path: string): IndicatorType {
  const type = Object.hasOwn(TYPES, path) ? TYPES[path] : undefined;
  if (type === undefined) throw new PatternError('it compares a property that is not supported');
  return type;
}

/** The threats that it is a sign of, in 2.1 and in 2.0. */
function wordsOf({ indicator_types, labels }: PlainObject): readonly string[] {
  return [...textsOf(indicator_types), ...textsOf(labels)].map((word) => word.toLowerCase());
}

function threatTypeOf(object: PlainObject, type: IndicatorType): ThreatType {
  const words = wordsOf(object).join(' ');
  if (words.includes('phish')) return 'credential_phishing';
  if (words.includes('malware')) return 'malware';
  return type === 'domain' || type === 'url' ? 'known_indicator' : 'malware';
}

/** Separate objects relate indicators to what they indicate. */
function threatsOf(objects: readonly PlainObject[]): ReadonlyMap<string, Threat> {
  const named = new Map(
    objects
      .filter(({ type }) => type === 'malware' || type === 'tool')
      .map((object) => [toOptionalText(object.id) ?? '', toThreat(object)] as const),
  );
  const threats = new Map<string, Threat>();
  for (const { type, relationship_type, source_ref, target_ref } of objects) {
    const threat = named.get(toOptionalText(target_ref) ?? '');
    if (type === 'relationship' && relationship_type === 'indicates' && threat !== undefined) {
      threats.set(toOptionalText(source_ref) ?? '', threat);
    }
  }
  return threats;
}

/** A tool is software with legitimate uses (section 4.17), never malware by its name alone. */
function toThreat({ type, name, malware_types, tool_types }: PlainObject): Threat {
  const dualUse = type === 'tool';
  const isRemote = dualUse && textsOf(tool_types).includes('remote-access');
  const isSpyware = textsOf(malware_types).join(' ').includes('spyware');
  const threatType = isRemote ? 'remote_access_tool' : isSpyware ? 'spyware' : 'malware';
  return { name: toOptionalText(name), threatType, dualUse };
}
