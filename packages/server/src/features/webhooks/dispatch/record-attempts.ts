import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { upsertMonitoringIncident } from '../../incidents/index.ts';
import * as deadLetterReadModel from '../deliveries/dead-letter-read-model.ts';
import { type WebhookState, webhookKeyOf } from '../webhook.ts';
import { disableWebhook } from '../webhook-service.ts';
import * as webhookStateStore from '../webhook-state-store.ts';
import type { DeliveryAttempt } from './attempt-delivery.ts';
import * as attemptResultStore from './attempt-result-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

/** Without one success for this long a webhook is disabled. */
const FAILING_MS = 5 * 86_400_000;
/** So many dead letters of one webhook within this time deserve somebody's attention. */
const MANY_DEAD_LETTERS = 10;
const MANY_WITHIN_MS = 3_600_000;

/**
 * Records attempts: the deliveries themselves, how their webhooks fare and, when one fails for good, what that says about
 * the webhook. All of it happens or nothing. An attempt whose lease somebody else holds by now changes no delivery.
 */
export async function recordAttempts(tx: Queries, attempts: readonly DeliveryAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  const failed = attempts.filter(({ nextStep, delivery }) => nextStep.kind === 'failed' && !delivery.isTest);
  // Whoever may open an incident takes the end of the feed first, in the order of the tenants, as those who append do.
  for (const tenantId of [...new Set(failed.map(({ delivery }) => delivery.tenantId))].sort()) {
    await feedHeadStore.lock(tx, tenantId);
  }
  await attemptResultStore.saveMany(tx, attempts);
  const states = await saveStates(tx, attempts);
  for (const attempt of onePerWebhook(failed)) {
    await checkWebhook(tx, attempt, states.get(webhookKeyOf(attempt.delivery)));
  }
}

type TenantWebhookState = WebhookState & { readonly tenantId: TenantId };

/** Saves how each webhook fares after its last attempt of these, and gives that. Tests say nothing about it. */
async function saveStates(
  tx: Queries,
  attempts: readonly DeliveryAttempt[],
): Promise<Map<string, TenantWebhookState>> {
  const real = attempts.filter(({ delivery }) => !delivery.isTest);
  const states = new Map<string, TenantWebhookState>();
  for (const [tenantId, webhookIds] of unsuccessful(real)) {
    // Since when a webhook fails is asked of the store: another process may have had success, or a person enabled it.
    const before = await webhookStateStore.findManyForUpdate(tx, tenantId, webhookIds);
    for (const state of before.values())
      states.set(webhookKeyOf({ ...state, tenantId }), { ...state, tenantId });
  }
  for (const { delivery, nextStep, atMs } of real) {
    const key = webhookKeyOf(delivery);
    states.set(key, {
      tenantId: delivery.tenantId,
      webhookId: delivery.webhookId,
      lastStatus: nextStep.kind === 'retry' ? 'retrying' : nextStep.kind,
      lastError: nextStep.kind === 'delivered' ? null : nextStep.error,
      lastAtMs: atMs,
      lastAttempts: delivery.attempts + 1,
      failingSinceMs: nextStep.kind === 'delivered' ? null : (states.get(key)?.failingSinceMs ?? atMs),
    });
  }
  await webhookStateStore.saveMany(tx, [...states.values()]);
  return states;
}

/** The webhooks with an attempt that was no success, by tenant, in the order in which everybody locks them. */
function unsuccessful(attempts: readonly DeliveryAttempt[]): [TenantId, string[]][] {
  const byTenant = new Map<TenantId, Set<string>>();
  for (const { delivery, nextStep } of attempts) {
    if (nextStep.kind === 'delivered') continue;
    const known = byTenant.get(delivery.tenantId);
    if (known) known.add(delivery.webhookId);
    else byTenant.set(delivery.tenantId, new Set([delivery.webhookId]));
  }
  return [...byTenant].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tenantId, ids]) => [tenantId, [...ids]]);
}

/** Disables a webhook that wants no more or that nobody answers for, and tells of one whose dead letters pile up. */
async function checkWebhook(
  tx: Queries,
  { delivery, nextStep, atMs }: DeliveryAttempt,
  state: WebhookState | undefined,
): Promise<void> {
  if (nextStep.kind !== 'failed') return;
  const { tenantId, webhookId } = delivery;
  if (nextStep.isGone) {
    await disable(tx, delivery, { reason: 'gone', atMs, why: 'its receiver answered 410 (gone)' });
    return;
  }
  if (state && state.failingSinceMs !== null && state.failingSinceMs <= atMs - FAILING_MS) {
    const why = `no delivery has succeeded for 5 days; the last error: ${nextStep.error}`;
    await disable(tx, delivery, { reason: 'failing', atMs, why });
    return;
  }
  const sinceMs = atMs - MANY_WITHIN_MS;
  const dead = await deadLetterReadModel.countSince(tx, tenantId, {
    webhookId,
    sinceMs,
    enough: MANY_DEAD_LETTERS,
  });
  if (dead < MANY_DEAD_LETTERS) return;
  await upsertMonitoringIncident(tx, tenantId, {
    correlationKey: webhookId,
    message: `At least ${MANY_DEAD_LETTERS} deliveries to webhook ${webhookId} have failed within an hour`,
    nowMs: atMs,
  });
}

async function disable(
  tx: Queries,
  { tenantId, webhookId }: ClaimedDelivery,
  { reason, why, atMs }: { reason: 'gone' | 'failing'; why: string; atMs: number },
): Promise<void> {
  const message = `Webhook ${webhookId} was disabled: ${why}`;
  const isDisabled = await disableWebhook(tx, tenantId, { webhookId, reason, detail: message, nowMs: atMs });
  if (isDisabled)
    await upsertMonitoringIncident(tx, tenantId, { correlationKey: webhookId, message, nowMs: atMs });
}

/** The last of each webhook, but one that says it is gone before any other. */
function onePerWebhook(attempts: readonly DeliveryAttempt[]): DeliveryAttempt[] {
  const chosen = new Map<string, DeliveryAttempt>();
  for (const attempt of attempts) {
    const key = webhookKeyOf(attempt.delivery);
    const before = chosen.get(key);
    if (before?.nextStep.kind === 'failed' && before.nextStep.isGone) continue;
    chosen.set(key, attempt);
  }
  return [...chosen.values()];
}
