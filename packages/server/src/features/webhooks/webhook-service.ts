import { createHash, timingSafeEqual } from 'node:crypto';
import type { NewWebhook, SecretRotation, WebhookChange } from '@tps/contract';
import { DEFAULT_ROTATION_OVERLAP_S, ID_PREFIXES, WEBHOOK_LIMIT } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { createId } from '../../platform/identifiers.ts';
import { assertCanSign } from '../../platform/outbound/assert-can-sign.ts';
import { TargetRejectedError } from '../../platform/outbound/target-rejected-error.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore } from '../audit/index.ts';
import { lockTenant, type RequestDatabase } from '../authority/index.ts';
import { feedHeadStore } from '../feed/index.ts';
import { holdingStore } from '../holdings/index.ts';
import * as circuitStore from './circuit/circuit-store.ts';
import * as deliveryStore from './deliveries/delivery-store.ts';
import { changeWebhook, rotateWebhook, secretBinding, type WebhookRecord } from './webhook.ts';
import { auditOf, auditsOfChange } from './webhook-audit.ts';
import { webhookHoldings } from './webhook-holdings.ts';
import * as webhookStateStore from './webhook-state-store.ts';
import * as webhookStore from './webhook-store.ts';

declare const accepted: unique symbol;

/** The URL of a checked target. */
export type AcceptedUrl = string & { readonly [accepted]: true };

export interface WebhookServiceParts {
  readonly database: RequestDatabase;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Throws `TargetRejectedError` for a URL that the service will not call. */
  readonly checkTarget: (url: string) => Promise<void>;
  /** Signals that waiting deliveries may be sent. */
  readonly wake: () => void;
}

/** Registers, changes and removes webhooks, each with its audit entry in the same transaction. */
export class WebhookService {
  readonly #parts: WebhookServiceParts;

  constructor(parts: WebhookServiceParts) {
    this.#parts = parts;
  }

  /**
   * Checks a target. Queries name servers, so never call it inside a transaction. @throws ServiceError
   * `webhook_url_rejected`
   */
  async acceptUrl(url: string): Promise<AcceptedUrl> {
    try {
      await this.#parts.checkTarget(url);
    } catch (error) {
      if (!(error instanceof TargetRejectedError)) throw error;
      throw new ServiceError('webhook_url_rejected', `url is rejected: ${error.message}`, { cause: error });
    }
    return url as AcceptedUrl;
  }

  /**
   * Registers a webhook inside the caller's transaction.
   * @throws ServiceError `webhook_limit_reached`, or `invalid_field` if the secret cannot sign
   */
  async create(
    tx: Queries,
    wanted: Pick<NewWebhook, 'secret' | 'severity_filter' | 'auto_replay'> & { url: AcceptedUrl },
    request: AdmittedRequest,
  ): Promise<WebhookRecord> {
    const { tenantId } = request;
    assertCanSign(wanted.secret);
    await lockTenant(tx, tenantId);
    if ((await webhookStore.count(tx, tenantId)) >= WEBHOOK_LIMIT) {
      throw new ServiceError('webhook_limit_reached', `A tenant has at most ${WEBHOOK_LIMIT} webhooks`);
    }
    const nowMs = this.#parts.clock.now();
    const webhookId = createId(ID_PREFIXES.webhook, nowMs);
    const webhook: WebhookRecord = {
      webhookId,
      url: wanted.url,
      severities: wanted.severity_filter ?? null,
      autoReplay: wanted.auto_replay ?? true,
      status: 'active',
      disabledReason: null,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      secret: this.#parts.secrets.seal(new Secret(wanted.secret), secretBinding(tenantId, webhookId)),
      previous: null,
    };
    await webhookStore.create(tx, tenantId, webhook);
    await holdingStore.own(tx, request, { rule: webhookHoldings, id: webhookId, nowMs });
    await auditStore.appendFor(tx, request, auditOf(tenantId, webhook, 'webhook.create'), nowMs);
    return webhook;
  }

  /**
   * Enabling resets the failure count. @throws ServiceError `not_found`, `webhook_url_rejected`, or
   * `invalid_state_transition` when the secret is lost
   */
  async update(
    tenantId: TenantId,
    webhookId: string,
    { change, request }: { change: WebhookChange; request: AdmittedRequest },
  ): Promise<WebhookRecord> {
    const { database, clock, wake } = this.#parts;
    const seen = await webhookStore.find(database.read, tenantId, webhookId);
    if (!seen) throw notFound('webhook');
    if (change.url !== undefined && change.url !== seen.url) await this.acceptUrl(change.url);
    const { before, after } = await database.transaction(request, async (tx) => {
      await lockTenant(tx, tenantId);
      // Recording attempts may disable the webhook: this lock serialises the two.
      await feedHeadStore.lock(tx, tenantId);
      const before = await getForUpdate(tx, tenantId, webhookId);
      const after = changeWebhook(before, change, clock.now());
      if (after === before) return { before, after };
      if (isEnabled(before, after) && before.disabledReason === 'secret_lost') throw secretLost();
      await webhookStore.update(tx, tenantId, after);
      const isNewStart = isEnabled(before, after) || after.url !== before.url;
      if (isNewStart) {
        await webhookStateStore.forgetFailures(tx, tenantId, webhookId);
        await circuitStore.endSilence(tx, { tenantId, webhookId });
        const holding = { rule: webhookHoldings, id: webhookId, nowMs: after.updatedAtMs };
        if (after.url === before.url) await holdingStore.share(tx, request, holding);
        else await holdingStore.own(tx, request, holding);
      }
      if (isNewStart || (after.autoReplay && !before.autoReplay)) {
        await circuitStore.probeNow(tx, [{ tenantId, webhookId }], after.updatedAtMs);
      }
      for (const entry of auditsOfChange(tenantId, before, after)) {
        await auditStore.appendFor(tx, request, entry, after.updatedAtMs);
      }
      return { before, after };
    });
    if (isEnabled(before, after)) wake();
    return after;
  }

  /** @throws ServiceError `not_found`, or `invalid_field` if the secret cannot sign or equals the current one */
  async rotateSecret(
    tenantId: TenantId,
    webhookId: string,
    { rotation, request }: { rotation: SecretRotation; request: AdmittedRequest },
  ): Promise<WebhookRecord> {
    const { database, clock, secrets, wake } = this.#parts;
    const { overlap_s: overlapS = DEFAULT_ROTATION_OVERLAP_S } = rotation;
    assertCanSign(rotation.secret);
    const wanted = new Secret(rotation.secret);
    const binding = secretBinding(tenantId, webhookId);
    const { before, after } = await database.transaction(request, async (tx) => {
      await lockTenant(tx, tenantId);
      await feedHeadStore.lock(tx, tenantId);
      const before = await getForUpdate(tx, tenantId, webhookId);
      const present = secrets.open(before.secret, binding);
      // A secret that only another process can open cannot be compared: it is replaced.
      if (present && isSame(present, wanted)) {
        throw new ServiceError('invalid_field', 'secret must differ from the current secret');
      }
      const nowMs = clock.now();
      // Nor can it sign beside the new one.
      const overlap = { overlapS: present ? overlapS : 0, nowMs };
      const after = rotateWebhook(before, secrets.seal(wanted, binding), overlap);
      await webhookStore.updateSecrets(tx, tenantId, after);
      const isReturning = isEnabled(before, after);
      if (isReturning) {
        await webhookStore.update(tx, tenantId, after);
        await holdingStore.share(tx, request, { rule: webhookHoldings, id: webhookId, nowMs });
        await webhookStateStore.forgetFailures(tx, tenantId, webhookId);
        await circuitStore.probeNow(tx, [{ tenantId, webhookId }], nowMs);
      }
      for (const action of [
        'webhook.rotate_secret',
        ...(isReturning ? ['webhook.enable' as const] : []),
      ] as const) {
        await auditStore.appendFor(tx, request, auditOf(tenantId, after, action), nowMs);
      }
      return { before, after };
    });
    if (isEnabled(before, after)) wake();
    return after;
  }

  /** Removes a webhook with all its deliveries. @throws ServiceError `not_found`, also when repeated */
  remove(tenantId: TenantId, webhookId: string, request: AdmittedRequest): Promise<void> {
    const { database, clock } = this.#parts;
    return database.transaction(
      request,
      async (tx) => {
        // Storing events may write deliveries to it: this lock serialises the two.
        await feedHeadStore.lock(tx, tenantId);
        const webhook = await getForUpdate(tx, tenantId, webhookId);
        await deliveryStore.removeOfWebhook(tx, tenantId, webhookId);
        await webhookStore.remove(tx, tenantId, webhookId);
        await holdingStore.release(tx, tenantId, { kind: 'webhook', id: webhookId });
        await auditStore.appendFor(tx, request, auditOf(tenantId, webhook, 'webhook.delete'), clock.now());
        // Recording or releasing attempts locks rows of it in another order.
      },
      { idempotent: true },
    );
  }
}

function secretLost(): ServiceError {
  return new ServiceError(
    'invalid_state_transition',
    'The secret of the webhook is lost; replace it with POST /webhooks/{id}/rotate-secret',
  );
}

async function getForUpdate(tx: Queries, tenantId: TenantId, webhookId: string): Promise<WebhookRecord> {
  const webhook = await webhookStore.findForUpdate(tx, tenantId, webhookId);
  if (!webhook) throw notFound('webhook');
  return webhook;
}

function isEnabled(before: WebhookRecord, after: WebhookRecord): boolean {
  return before.status !== 'active' && after.status === 'active';
}

/** Compares digests: they have equal length, and comparing them takes constant time. */
function isSame(one: Secret, other: Secret): boolean {
  const [a, b] = [one, other].map((secret) => createHash('sha256').update(secret.reveal()).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
