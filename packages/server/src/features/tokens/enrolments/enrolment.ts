import type { CreatedEnrolment, Enrolment } from '@tps/contract';
import { toOptionalTimestamp, toTimestamp } from '../../../platform/time.ts';
import { tokenStatus } from '../../authority/index.ts';
import type { MintedToken, TokenRecord } from '../token.ts';

/** Maps the record of an enrolment secret. @throws Error for the record of another credential */
export function toEnrolment(record: TokenRecord, nowMs: number): Enrolment {
  const { tenantId, maxUses, uses, expiresAtMs } = record;
  if (tenantId === null || maxUses === null || uses === null || expiresAtMs === null) {
    throw new Error('the record is not of an enrolment secret');
  }
  return {
    enrolment_id: record.tokenId,
    tenant_id: tenantId,
    name: record.name,
    max_uses: maxUses,
    uses,
    environment: record.environment,
    hint: record.hint,
    created_at: toTimestamp(record.createdAtMs),
    created_by: record.createdBy,
    expires_at: toTimestamp(expiresAtMs),
    last_used_at: toOptionalTimestamp(record.lastUsedAtMs),
    revoked_at: toOptionalTimestamp(record.revokedAtMs),
    status: tokenStatus(record, nowMs),
  };
}

/** The only place where an enrolment secret becomes part of a response. */
export function toCreatedEnrolment({ record, credential }: MintedToken, nowMs: number): CreatedEnrolment {
  return { ...toEnrolment(record, nowMs), secret: String(credential.reveal()) };
}
