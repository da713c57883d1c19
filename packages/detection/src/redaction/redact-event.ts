import { WHOLE_PLACEHOLDER } from './placeholder.ts';
import { redactTextInSteps } from './redact-text.ts';
import { finish, type Steps } from './steps.ts';

/** The parts of an event that contain free text or values from the device. */
export type RedactableEvent = {
  readonly description?: string;
  readonly indicators?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly correction_reason?: string;
};

/** Metadata nested deeper than this is dropped, since it cannot be redacted safely. */
const MAX_DEPTH = 32;
/** Nearly every event has such an indicator. It contains nothing to redact; searching it took 2 of 14 µs per event. */
const FILE_HASH = /^sha256:[0-9a-f]{64}$/;
/** Redacting any shorter text takes less than a millisecond. */
const LONG_TEXT = 256;
const VERSION_KEY = /version$/i;
const DOTTED_VERSION = /^[0-9]{1,10}(?:\.[0-9]{1,10}){3}$/;

/**
 * Redacts `description`, `correction_reason`, each of `indicators` and every string in `metadata`, including
 * keys. Never changes its argument; returns the same object if there was nothing to redact. Idempotent.
 */
export function redactEvent<E extends RedactableEvent>(event: E): E {
  return finish(redactEventInSteps(event));
}

/** The same in steps of one text or less: the worst texts of an event together take a hundred times as long as usual ones. */
export function* redactEventInSteps<E extends RedactableEvent>(event: E): Steps<E> {
  const { description, correction_reason: reason, indicators, metadata } = event;
  const changes: { -readonly [Key in keyof RedactableEvent]: RedactableEvent[Key] } = {};
  if (description !== undefined) changes.description = yield* redactNext(description);
  if (reason !== undefined) changes.correction_reason = yield* redactNext(reason);
  if (indicators !== undefined) changes.indicators = yield* redactIndicators(indicators);
  if (metadata !== undefined) changes.metadata = yield* redactRecord(metadata, 1);
  const isChanged =
    changes.description !== description ||
    changes.correction_reason !== reason ||
    changes.indicators !== indicators ||
    changes.metadata !== metadata;
  return isChanged ? { ...event, ...changes } : event;
}

/** Redacts a text, after a pause if the text is long. */
function* redactNext(text: string): Steps<string> {
  if (text.length >= LONG_TEXT) yield;
  return yield* redactTextInSteps(text);
}

function* redactIndicators(values: readonly string[]): Steps<readonly string[]> {
  const redacted: string[] = [];
  for (const value of values) redacted.push(FILE_HASH.test(value) ? value : yield* redactNext(value));
  return redacted.every((value, index) => value === values[index]) ? values : redacted;
}

function* redactValue(value: unknown, depth: number): Steps<unknown> {
  if (typeof value === 'string') return yield* redactNext(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return WHOLE_PLACEHOLDER;
  return Array.isArray(value)
    ? yield* redactArray(value, depth)
    : yield* redactRecord(value as Record<string, unknown>, depth);
}

function* redactArray(values: readonly unknown[], depth: number): Steps<readonly unknown[]> {
  const redacted: unknown[] = [];
  for (const value of values) redacted.push(yield* redactValue(value, depth + 1));
  return redacted.every((value, index) => value === values[index]) ? values : redacted;
}

type Entry = { readonly key: string; readonly redactedKey: string; readonly value: unknown };

function* redactRecord(
  record: Readonly<Record<string, unknown>>,
  depth: number,
): Steps<Readonly<Record<string, unknown>>> {
  const entries: Entry[] = [];
  let isChanged = false;
  for (const [key, value] of Object.entries(record)) {
    const redactedKey = yield* redactNext(key);
    const redacted = isVersion(key, value) ? value : yield* redactValue(value, depth + 1);
    if (redactedKey !== key || redacted !== value) isChanged = true;
    entries.push({ key, redactedKey, value: redacted });
  }
  return isChanged ? Object.fromEntries(withDistinctKeys(entries)) : record;
}

/** `"os_version": "10.0.0.17"` is not an IP address, for the same reason as `version 10.0.0.17` in a text. */
function isVersion(key: string, value: unknown): boolean {
  return typeof value === 'string' && VERSION_KEY.test(key) && DOTTED_VERSION.test(value);
}

/**
 * Unchanged keys keep their names; if redaction makes two keys equal, the second becomes `[email]
 * 2`.
 */
function withDistinctKeys(entries: readonly Entry[]): [string, unknown][] {
  const taken = new Set(entries.filter((entry) => entry.key === entry.redactedKey).map((entry) => entry.key));
  const lastNumbers = new Map<string, number>();
  return entries.map(({ key, redactedKey, value }) => {
    if (key === redactedKey) return [key, value];
    let number = lastNumbers.get(redactedKey) ?? 1;
    let distinct = redactedKey;
    while (taken.has(distinct)) {
      number += 1;
      distinct = `${redactedKey}~${number}`;
    }
    lastNumbers.set(redactedKey, number);
    taken.add(distinct);
    return [distinct, value];
  });
}
