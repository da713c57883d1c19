import type { IncidentCategory, ThreatCategory } from '@tps/contract';
import { THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { categoryWords } from '../alerts/index.ts';

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function isThreatCategory(category: string): category is ThreatCategory {
  return THREAT_CATEGORIES.some((known) => known === category);
}

/** Returns the subject of an incident in words. */
export function toSubject(category: IncidentCategory): string {
  if (isThreatCategory(category)) return categoryWords(category);
  const words = {
    device_integrity: 'Broken event chain',
    monitoring: 'Monitoring',
    campaign: 'Campaign',
  } as const;
  return words[category];
}
