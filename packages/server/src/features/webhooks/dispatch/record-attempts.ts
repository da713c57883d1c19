import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { upsertMonitoringIncident } from '../../incidents/index.ts';
import { statisticsStore } from '../../statistics/index.ts';
import { type Circuit, openCircuit } from '../circuit/circuit.ts';
import * as circuitStore from '../circuit/circuit-store.ts';
import * as deadLetterReadModel from '../deliveries/dead-letter-read-model.ts';
import { giveUp } from '../give-up.ts';
import { SECRET_LOST, type WebhookKey, type WebhookState, webhookKeyOf } from '../webhook.ts';
import * as webhookStateStore from '../webhook-state-store.ts';
import type { DeliveryAttempt } from './attempt-delivery.ts';
import * as attemptResultStore from './attempt-result-store.ts';

/** Without a success for this long, a webhook is disabled. */
const FAILING_MS = 5 * 86_400_000;
/** This many dead letters of one webhook within this time open an incident. */
const MANY_DEAD_LETTERS = 10;
const MANY_WITHIN_MS = 3_600_000;

/**
 * Records attempts: the deliveries, the state of their webhooks and, when one fails permanently, the consequences
 * for the webhook. In one transaction. Returns the circuits that this opened. An attempt changes nothing when its
 * lease now belongs to another process, or when its delivery was removed.
 */
export async function recordAttempts(tx: Queries, attempts: readonly DeliveryAttempt[]): Promise<Circuit[]> {
  if (attempts.length === 0) return [];
  // Opening an incident requires the lock on the end of the feed; tenants are locked in order, as when events are
  // appended.
  const tenantIds = new Set(attempts.filter(isDead).map(({ delivery }) => delivery.tenantId));
  for (const tenantId of [...tenantIds].sort()) {
    await feedHeadStore.lock(tx, tenantId);
  }
  // Before the deliveries, as when a replay takes a step.
  await silenceCircuits(tx, attempts);
  const recorded = await attemptResultStore.saveMany(tx, attempts);
  const failed = recorded.filter(isDead);
  const states = await saveStates(tx, recorded);
  for (const attempt of onePerWebhook(failed)) {
    await checkWebhook(tx, attempt, states.get(webhookKeyOf(attempt.delivery)));
  }
  const circuits = await openCircuits(tx, failed);
  // Last, because the transactions of other processes wait for these rows.
  await statisticsStore.add(tx, 'delivery_statistics', recorded.flatMap(toCounts));
  return circuits;
}

function isDead({ nextStep, delivery }: DeliveryAttempt): boolean {
  return nextStep.kind === 'failed' && !delivery.isTest;
}

/** Counts an attempt. Tests do not count, and a dead letter that the service replays does not count as another one. */
function toCounts({
  delivery,
  nextStep,
  atMs,
}: DeliveryAttempt): statisticsStore.TenantCounts<'delivery_statistics'>[] {
  if (delivery.isTest) return [];
  const isDelivered = nextStep.kind === 'delivered';
  const isNewlyDead = nextStep.kind === 'failed' && delivery.replayedSinceMs === null;
  const counts = { delivered: Number(isDelivered), failed: Number(!isDelivered), dead: Number(isNewlyDead) };
  return [{ tenantId: delivery.tenantId, atMs, counts }];
}

/** Opens the circuits of webhooks with a new dead letter that may succeed later, unless they are open already. */
async function openCircuits(tx: Queries, failed: readonly DeliveryAttempt[]): Promise<Circuit[]> {
  const circuits = failed
    .filter(({ nextStep }) => nextStep.kind === 'failed' && nextStep.isTransient)
    .map((attempt) => {
      const silentUntilMs = silentUntil(attempt) ?? null;
      return openCircuit(attempt.delivery, { nowMs: attempt.atMs, random: Math.random(), silentUntilMs });
    })
    // The longest pause counts.
    .sort((a, b) => (a.silentUntilMs ?? 0) - (b.silentUntilMs ?? 0));
  const byKey = new Map(circuits.map((circuit) => [webhookKeyOf(circuit), circuit]));
  return byKey.size === 0 ? [] : await circuitStore.openMany(tx, [...byKey.values()]);
}

/** Lets circuits that are open already wait as long as their receivers ask for. */
async function silenceCircuits(tx: Queries, attempts: readonly DeliveryAttempt[]): Promise<void> {
  const silences = new Map<string, { delivery: WebhookKey; untilMs: number }>();
  for (const attempt of attempts) {
    const untilMs = silentUntil(attempt);
    if (untilMs === undefined) continue;
    const key = webhookKeyOf(attempt.delivery);
    const known = silences.get(key)?.untilMs ?? 0;
    silences.set(key, { delivery: attempt.delivery, untilMs: Math.max(known, untilMs) });
  }
  for (const [, { delivery, untilMs }] of [...silences].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await circuitStore.silence(tx, delivery, untilMs);
  }
}

/** A test has no consequences for the webhook. */
function silentUntil({ nextStep, delivery }: DeliveryAttempt): number | undefined {
  return nextStep.kind === 'failed' && !delivery.isTest ? nextStep.silentUntilMs : undefined;
}

type TenantWebhookState = WebhookState & { readonly tenantId: TenantId };

/** Saves the state of each webhook after the last of these attempts, and returns it. Tests do not count. */
async function saveStates(
  tx: Queries,
  attempts: readonly DeliveryAttempt[],
): Promise<Map<string, TenantWebhookState>> {
  const real = attempts.filter(({ delivery }) => !delivery.isTest);
  const states = new Map<string, TenantWebhookState>();
  for (const [tenantId, webhookIds] of unsuccessful(real)) {
    // Read from the store: another process may have had a success, or a person may have enabled the webhook.
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

/** The webhooks with an unsuccessful attempt, by tenant, in lock order. */
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

/** Disables a webhook that is gone or has failed for too long, and opens an incident for one with many dead letters. */
async function checkWebhook(
  tx: Queries,
  { delivery, nextStep, atMs }: DeliveryAttempt,
  state: WebhookState | undefined,
): Promise<void> {
  if (nextStep.kind !== 'failed') return;
  const { tenantId, webhookId } = delivery;
  if (nextStep.isGone) {
    await giveUp(tx, delivery, {
      reason: 'gone',
      nowMs: atMs,
      why: 'its receiver responded with 410 (gone)',
    });
    return;
  }
  if (!delivery.signing) {
    await giveUp(tx, delivery, { reason: 'secret_lost', nowMs: atMs, why: SECRET_LOST });
    return;
  }
  if (state && state.failingSinceMs !== null && state.failingSinceMs <= atMs - FAILING_MS) {
    const why = `no delivery has succeeded for 5 days; last error: ${nextStep.error}`;
    await giveUp(tx, delivery, { reason: 'failing', nowMs: atMs, why });
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

/** The last attempt of each webhook, except that a `gone` takes precedence. */
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
