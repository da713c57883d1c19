import type { Updateable } from 'kysely';
import type { Queries } from '../../../database/index.ts';
import type { DeliveriesTable } from '../../../database/tables/index.ts';
import type { Attempt } from './attempt.ts';

/** The number of the claim is part of the key: whoever claims anew, or starts a delivery once more, changes it. */
const KEY = ['tenant_id', 'webhook_id', 'delivery_id', 'claims'] as const;

/** Records each attempt with its delivery, if the claim that it was made under still holds. */
export async function recordAttempts(tx: Queries, attempts: readonly Attempt[]): Promise<void> {
  const retries = attempts.filter(({ verdict }) => verdict.kind === 'retry');
  const last = attempts.filter(({ verdict }) => verdict.kind !== 'retry');
  // A dead letter that is being replayed stays one until that is over, unless somebody has acknowledged it meanwhile.
  await tx.updateMany('deliveries', KEY, retries.map(toRow));
  await tx.updateMany(
    'deliveries',
    KEY,
    last.map((attempt) => ({ ...toRow(attempt), dead_at: deadAt(attempt) })),
  );
}

function deadAt({ verdict, delivery, atMs }: Attempt): number | null {
  return verdict.kind === 'failed' && !delivery.isTest ? atMs : null;
}

function toRow({ delivery, outcome, verdict, atMs }: Attempt): Updateable<DeliveriesTable> {
  const isOver = verdict.kind !== 'retry';
  return {
    tenant_id: delivery.tenantId,
    webhook_id: delivery.webhookId,
    delivery_id: delivery.deliveryId,
    claims: delivery.claims,
    status: isOver ? verdict.kind : 'pending',
    due_at: isOver ? null : atMs + verdict.delayMs,
    leased_by: null,
    attempts: delivery.attempts + 1,
    last_attempt_at: atMs,
    last_status: outcome.kind === 'answered' ? outcome.status : null,
    last_error: verdict.kind === 'delivered' ? null : verdict.error,
    last_response: outcome.kind === 'answered' ? outcome.excerpt : null,
    last_duration_ms: Math.round(outcome.durationMs),
  };
}
