import type { AuditEntry } from '@tps/client';
import type { Column } from '../output/table.ts';
import { toShortTime } from '../output/time.ts';

/** Columns of every list of audit entries. */
export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { heading: 'AT', of: (entry) => toShortTime(entry.occurred_at) },
  { heading: 'ACTION', of: (entry) => entry.action, isState: true },
  { heading: 'OUTCOME', of: (entry) => entry.outcome, isState: true },
  { heading: 'ACTOR', of: (entry) => entry.actor.name ?? entry.actor.id, mayShrink: true },
  { heading: 'RESOURCE', of: (entry) => entry.resource.id },
  { heading: 'DETAIL', of: (entry) => entry.detail, mayShrink: true },
];
