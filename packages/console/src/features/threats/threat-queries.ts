import { queryOptions } from '@tanstack/react-query';
import type { Client, Threat, ThreatCategory } from '@tps/client';

/** Begins the keys of everything about threats. */
export const THREATS = 'threats';

export function threatQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: [THREATS, 'one', id],
    queryFn: ({ signal }) => client.threats.get(id, { signal }),
  });
}

export function alertsOfThreatQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ['alerts', 'of', id],
    queryFn: ({ signal }) => client.alerts.list({ threat_id: id, limit: 10, signal }).page(),
  });
}

/** The most indicators by which other threats are looked up: a filter has at most 50 values. */
const MAX_INDICATORS = 20;

/** Other threats with an indicator of this one. */
export function sharedIndicatorsQuery(client: Client, { threat_id: id, indicators }: Threat) {
  const indicator = indicators.slice(0, MAX_INDICATORS).map(escapeValue).join(',');
  return queryOptions({
    queryKey: [THREATS, 'sharing', id, indicator],
    queryFn: async ({ signal }) => {
      const { data } = await client.threats.list({ indicator, limit: 11, signal }).page();
      return data.filter((threat) => threat.threat_id !== id);
    },
    enabled: indicator !== '',
  });
}

/** A `,`, `!` or `\\` in a value of a filter. */
function escapeValue(value: string): string {
  return value.replace(/[,!\\]/g, '\\$&');
}

/** What to do about a kind of threat, in the language of the reader where there is one. */
export function guidanceQuery(client: Client, category: ThreatCategory) {
  const locale = navigator.language.startsWith('de') ? 'de' : 'en';
  return queryOptions({
    queryKey: ['guidance', category, locale],
    queryFn: ({ signal }) =>
      client.guidance
        .list({ threat_category: category, audience: 'analyst', locale, limit: 1, signal })
        .page(),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
