import type { ThreatCategory } from '@tps/contract';

/** Returns the guidance cards for reports about this category: for the analyst, then for the affected person. */
export function guidanceIdsFor(category: ThreatCategory): string[] {
  return [`gui_${category}-analyst-en`, `gui_${category}-user-en`];
}
