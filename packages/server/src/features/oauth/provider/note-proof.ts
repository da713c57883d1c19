import type { Database } from '../../../database/index.ts';
import { NO_TENANT } from '../../../platform/tenant-id.ts';
import * as recordStore from './record-store.ts';

/**
 * Notes a proof of possession until it expires. Returns whether it is new: of two simultaneous requests with one proof, on any
 * nodes, one is served.
 */
export function noteProof(
  database: Database,
  { thumbprint, jti, expiresAtMs }: { thumbprint: string; jti: string; expiresAtMs: number },
  nowMs: number,
): Promise<boolean> {
  return database.transaction((tx) =>
    recordStore.create(tx, {
      tenant_id: NO_TENANT,
      record_hash: recordStore.recordHashOf('Proof', `${thumbprint} ${jti}`),
      model: 'Proof',
      payload: '{}',
      grant_id: null,
      uid: null,
      user_code_hash: null,
      client_id: null,
      account_id: null,
      created_at: nowMs,
      expires_at: expiresAtMs,
      consumed_at: null,
      asked_by: null,
    }),
  );
}
