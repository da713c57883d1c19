import type { ThreatIndicator } from '@tps/client';

/** What identifies an indicator: it has no id of the service. */
export type IndicatorName = Pick<ThreatIndicator, 'scope' | 'source' | 'type' | 'value'>;

/** Writes what identifies an indicator as the id of its row. A source never contains a slash. */
export function toRowId({ scope, source, type, value }: IndicatorName): string {
  return `${scope}/${source}/${type}/${value}`;
}

export function fromRowId(id: string): IndicatorName {
  const [scope = '', source = '', type = '', ...rest] = id.split('/');
  return {
    scope: scope as IndicatorName['scope'],
    source,
    type: type as IndicatorName['type'],
    value: rest.join('/'),
  };
}

/** Whether an indicator applies now, only later, or no longer. */
export function validityOf(
  { valid_from, valid_until }: Pick<ThreatIndicator, 'valid_from' | 'valid_until'>,
  nowMs = Date.now(),
): 'current' | 'upcoming' | 'expired' {
  if (valid_until !== undefined && Date.parse(valid_until) <= nowMs) return 'expired';
  if (valid_from !== undefined && Date.parse(valid_from) > nowMs) return 'upcoming';
  return 'current';
}
