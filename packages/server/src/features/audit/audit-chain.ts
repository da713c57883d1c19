import { hash } from 'node:crypto';
import type { Row } from '../../database/tables/index.ts';
import { nextChainHash } from '../feed/index.ts';

/** An entry with its place in the chain: every stored column but the chain hash. */
export type ChainedAuditEntry = Omit<Row<'audit_entries'>, 'position' | 'chain_hash'> & {
  readonly position: number;
};

/** Returns the hash before the first entry. It binds the chain to its tenant and to the time when it began. */
export function firstAuditHash(tenantId: string, startedAtMs: number): Buffer {
  return hash('sha256', JSON.stringify(['audit', tenantId, startedAtMs]), 'buffer');
}

/** Returns the chain hash of an entry: SHA-256 of the chain hash before and the SHA-256 of all its columns. */
export function nextAuditHash(before: Uint8Array, entry: ChainedAuditEntry): Buffer {
  const columns = [
    entry.tenant_id,
    entry.position,
    entry.audit_id,
    entry.occurred_at,
    entry.actor_type,
    entry.actor_id,
    entry.action,
    entry.resource_type,
    entry.resource_id,
    entry.outcome,
    entry.request_id,
    entry.detail,
    entry.fields,
  ];
  return nextChainHash(before, hash('sha256', JSON.stringify(columns), 'buffer'));
}
