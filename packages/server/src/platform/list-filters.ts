import type { AnyOfText } from '@tps/contract';
import { parseTimestamp } from './time.ts';

/** A filter by values: any of them or, if `not`, none of them. */
export interface AnyOf<Value extends string = string> {
  readonly not: boolean;
  readonly values: readonly Value[];
}

/** A half-open range of time in milliseconds since the epoch. */
export interface TimeRange {
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
}

export const EVER: TimeRange = { sinceMs: undefined, untilMs: undefined };

/** Whether a value passes a filter; all do without one. */
export function isAnyOf(value: string, filter: AnyOf | undefined): boolean {
  return filter === undefined || filter.not !== filter.values.includes(value);
}

/** Whether a time is in a range. */
export function isWithin(atMs: number, { sinceMs, untilMs }: TimeRange = EVER): boolean {
  return (sinceMs === undefined || atMs >= sinceMs) && (untilMs === undefined || atMs < untilMs);
}

/** Parses a validated filter: `high,critical` or `!low`. A `\` precedes a character that is part of a value. */
export function toAnyOf<Value extends string>(text: AnyOfText<Value>): AnyOf<Value>;
export function toAnyOf<Value extends string>(text: AnyOfText<Value> | undefined): AnyOf<Value> | undefined;
export function toAnyOf<Value extends string>(text: AnyOfText<Value> | undefined): AnyOf<Value> | undefined {
  if (text === undefined) return undefined;
  const not = text.startsWith('!');
  const list = not ? text.slice(1) : text;
  const values = (list.match(/(?:[^,\\]|\\.)+/gsu) ?? []).map((value) => value.replace(/\\(.)/gsu, '$1'));
  return { not, values: [...new Set(values)] as Value[] };
}

/** Parses the validated `since` and `until` of a list. */
export function toTimeRange({ since, until }: { since?: string; until?: string }): TimeRange {
  return {
    sinceMs: since === undefined ? undefined : parseTimestamp(since),
    untilMs: until === undefined ? undefined : parseTimestamp(until),
  };
}
