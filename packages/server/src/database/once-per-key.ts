import { createHash } from 'node:crypto';
import type { Operation } from '@tps/contract';
import type { Exchange, Reply } from '../platform/http/route.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { TenantId } from '../platform/tenant-id.ts';
import type { Queries } from './database.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs `work` once per `Idempotency-Key`, caller and operation within 24 hours; a repeated request gets the first
 * response. The key is stored in the same transaction as the work, so the second of two concurrent requests waits for
 * the first. Without the header, `work` always runs. `forRepeat` removes from a response what may be shown only once.
 *
 * @throws ServiceError `idempotency_conflict` if the key was used with another body
 */
export async function oncePerKey(
  tx: Queries,
  options: {
    exchange: Exchange<Operation>;
    nowMs: number;
    /** SHA-256 of the body, if already computed. */
    bodyDigest?: Buffer | undefined;
    work: () => Promise<Reply>;
    forRepeat: (reply: Reply) => unknown;
  },
): Promise<Reply> {
  const { exchange, nowMs, bodyDigest, work, forRepeat } = options;
  const key = exchange.header('idempotency-key');
  if (key === undefined) return work();
  if (!KEY_FORM.test(key)) {
    throw new ServiceError('invalid_parameter', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  const identity = {
    tenant_id: exchange.tenantId,
    // The tokens of one grant, or of one session in the console, are renewed while a caller repeats.
    token_id: exchange.caller.issued?.grantId ?? exchange.caller.tokenId,
    operation_id: exchange.operationId,
    idempotency_key: key,
  };
  const requestHash = bodyDigest ?? createHash('sha256').update(exchange.rawBody).digest();
  await tx.db
    .deleteFrom('idempotency_keys')
    .where((row) => row.and(identity))
    .where('created_at', '<=', nowMs - KEPT_MS)
    .execute();
  const taken = await tx.db
    .insertInto('idempotency_keys')
    .values({
      ...identity,
      request_hash: requestHash,
      status: 0,
      answer: '',
      location: null,
      created_at: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) return repeat(tx, identity, requestHash);

  const reply = await work();
  await tx.db
    .updateTable('idempotency_keys')
    .set({ status: reply.status, answer: JSON.stringify(forRepeat(reply)), location: reply.location ?? null })
    .where((row) => row.and(identity))
    .execute();
  return reply;
}

/** Deletes a tenant's stored responses that have expired. */
export async function purgeAnswers(tx: Queries, tenantId: TenantId, nowMs: number): Promise<void> {
  await tx.db
    .deleteFrom('idempotency_keys')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '<=', nowMs - KEPT_MS)
    .execute();
}

async function repeat(
  tx: Queries,
  identity: { tenant_id: string; token_id: string; operation_id: string; idempotency_key: string },
  requestHash: Buffer,
): Promise<Reply> {
  const first = await tx.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer', 'location'])
    .where((row) => row.and(identity))
    .executeTakeFirstOrThrow();
  if (!requestHash.equals(first.request_hash)) {
    throw new ServiceError('idempotency_conflict', 'Idempotency-Key was used before with another body');
  }
  return {
    status: first.status,
    json: first.answer,
    ...(first.location === null ? {} : { location: first.location }),
  };
}
