import type { ThreatCategory } from '@tps/contract';

/** Gives the guidance cards that a report about this category cites: for the analyst, then for the affected person. */
export function guidanceIdsFor(category: ThreatCategory): string[] {
  return [`gui_${category}-analyst-en`, `gui_${category}-user-en`];
}
