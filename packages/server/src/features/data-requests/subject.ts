import type { NewDataRequest } from '@tps/contract';
import { REDACTION_MARKS } from '@tps/contract/vocabulary';
import { redactEvent } from '@tps/detection';
import { ServiceError } from '../../platform/service-error.ts';
import { indicatorKeyOf } from '../feed/index.ts';

/** Whom a data request is about. */
export interface Subject {
  readonly type: 'device_id' | 'indicator';
  /** As events hold it. */
  readonly value: string;
}

/** How records that name a subject are recognized. */
export interface SubjectMatcher {
  readonly subject: Subject;
  /** What a column holds that identifies the subject: the id of the device, or the correlation key of the indicator. */
  readonly key: string;
  /** The forms in which texts can contain the subject. A text without any of them does not name it. */
  readonly needles: readonly string[];
  /** Whether a text names the subject as a whole word. */
  isNamedIn(text: string): boolean;
  /** Replaces the subject by a fixed word. */
  redact(text: string): string;
}

/** What stands in the place of a subject in a text that is kept. */
const ERASED = '[erased]';

const PLACEHOLDERS = Object.keys(REDACTION_MARKS);
const LINK = /^url:sha256:/;
/** In texts, words before or after it belong to another id, host or version. */
const BEFORE = '(?<![\\p{L}\\p{N}_@.-])';
/** The letter of an escaped line feed in JSON does not belong to the word. */
const AFTER_ESCAPE = '(?<=\\\\[nrtbf])';
/** How many signs can join two words. A longer run is a separator line; matching it would take quadratic time. */
const JOINING = '{1,8}';
const AFTER = `(?![\\p{L}\\p{N}_@]|[.-]${JOINING}[\\p{L}\\p{N}])`;
/** An indicator also consists of parts: `user:1` is not `user:1:laptop`. In addresses, `%2C`, `%22` and `%26` end a value. */
const BEFORE_INDICATOR = `${BEFORE}(?<![\\p{L}\\p{N}_][:/+%])`;
const AFTER_INDICATOR = `${AFTER}(?![:/+=]${JOINING}[\\p{L}\\p{N}]|%(?!2C|22|26)[\\p{L}\\p{N}])`;

/**
 * Returns the subject of a request. An indicator is redacted like those of events, so that it has their form.
 * @throws ServiceError `invalid_field` for none or two, and for one that is never part of an event
 */
export function toSubject({ subject }: Pick<NewDataRequest, 'subject'>): Subject {
  const { device_id: deviceId, indicator } = subject;
  if ((deviceId === undefined) === (indicator === undefined))
    throw new ServiceError('invalid_field', 'subject must have exactly one of device_id and indicator');
  if (deviceId !== undefined) return { type: 'device_id', value: deviceId };
  const [value = ''] = redactEvent({ indicators: [indicator ?? ''] }).indicators ?? [];
  if (PLACEHOLDERS.some((mark) => value.includes(mark))) {
    const message =
      'subject.indicator is redacted in each event, so nothing can be found by it. Send what your agents report in its place';
    throw new ServiceError('invalid_field', message);
  }
  // An address stands for its network in events. Anyone who confirms a deletion must see how much that is.
  if (value !== indicator && !LINK.test(value)) {
    const message = `subject.indicator is stored as ${value} in events: send that, and confirm it`;
    throw new ServiceError('invalid_field', message);
  }
  return { type: 'indicator', value };
}

export function matcherOf(subject: Subject): SubjectMatcher {
  const { type, value } = subject;
  const escaped = JSON.stringify(value).slice(1, -1);
  const needles = [...new Set([value, escaped, encodeURIComponent(value)])];
  const forms = needles.map(toPattern).join('|');
  const [before, after] = type === 'device_id' ? [BEFORE, AFTER] : [BEFORE_INDICATOR, AFTER_INDICATOR];
  // A word such as `block` occurs in texts without being meant.
  const isDistinctive = type === 'device_id' || (value.length >= 8 && /[\d:]/.test(value));
  const pattern = isDistinctive
    ? `(?:${before}|${AFTER_ESCAPE})(?:${forms})${after}`
    : `(?<=[[,]")${toPattern(escaped)}(?="[,\\]])`;
  const [first, all] = [new RegExp(pattern, 'u'), new RegExp(pattern, 'gu')];
  return {
    subject,
    key: type === 'device_id' ? value : indicatorKeyOf(value),
    needles,
    isNamedIn: (text) => first.test(text),
    redact: (text) => text.replaceAll(all, ERASED),
  };
}

function toPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
