import { type Queries, together } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { DeliveryAttempt } from './attempt-delivery.ts';

/** The claim number is part of the key: claiming or restarting a delivery changes it. */
const KEY = ['tenant_id', 'webhook_id', 'delivery_id', 'claims'] as const;

/**
 * Records each attempt with its delivery, if the claim under which it was made is still valid. Returns those that were
 * recorded, in the given order.
 */
export async function saveMany(
  tx: Queries,
  attempts: readonly DeliveryAttempt[],
): Promise<DeliveryAttempt[]> {
  const retries = attempts.filter(({ nextStep }) => nextStep.kind === 'retry');
  const last = attempts.filter(({ nextStep }) => nextStep.kind !== 'retry');
  // A dead letter stays one while it is replayed, unless it is acknowledged in the meantime.
  const [retried, ended] = await together(
    tx.updateExisting('deliveries', KEY, retries.map(toRow)),
    tx.updateExisting(
      'deliveries',
      KEY,
      last.map((attempt) => ({ ...toRow(attempt), dead_at: deadAt(attempt), replay: replayOf(attempt) })),
    ),
  );
  const recorded = new Set([...at(retries, retried), ...at(last, ended)]);
  return attempts.filter((attempt) => recorded.has(attempt));
}

function at<Item>(items: readonly Item[], indexes: readonly number[]): Item[] {
  return indexes.flatMap((index) => items[index] ?? []);
}

/** A replay by the service does not extend the time for which a dead letter is kept. */
function deadAt({ nextStep, delivery, atMs }: DeliveryAttempt): number | null {
  return nextStep.kind === 'failed' && !delivery.isTest ? (delivery.replayedSinceMs ?? atMs) : null;
}

function replayOf({ nextStep, delivery }: DeliveryAttempt): string | null {
  return nextStep.kind === 'failed' && nextStep.isTransient && !delivery.isTest ? 'waiting' : null;
}

function toRow({ delivery, outcome, nextStep, atMs }: DeliveryAttempt): Partial<Row<'deliveries'>> {
  const isOver = nextStep.kind !== 'retry';
  return {
    tenant_id: delivery.tenantId,
    webhook_id: delivery.webhookId,
    delivery_id: delivery.deliveryId,
    claims: delivery.claims,
    status: isOver ? nextStep.kind : 'pending',
    due_at: isOver ? null : atMs + nextStep.delayMs,
    leased_by: null,
    attempts: delivery.attempts + 1,
    last_attempt_at: atMs,
    last_status: outcome.kind === 'answered' ? outcome.status : null,
    last_error: nextStep.kind === 'delivered' ? null : nextStep.error,
    last_response: outcome.kind === 'answered' ? outcome.excerpt : null,
    last_duration_ms: Math.round(outcome.durationMs),
  };
}
