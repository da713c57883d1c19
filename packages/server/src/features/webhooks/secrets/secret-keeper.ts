import { randomUUID } from 'node:crypto';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import { MEMORY_PREFIX, type SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { Logger } from '../../../platform/logger.ts';
import { auditStore, SERVICE } from '../../audit/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { openCircuit } from '../circuit/circuit.ts';
import * as circuitStore from '../circuit/circuit-store.ts';
import { RETENTION_MS } from '../deliveries/delivery.ts';
import * as deliveryStore from '../deliveries/delivery-store.ts';
import * as replayStore from '../deliveries/replay-store.ts';
import { giveUp } from '../give-up.ts';
import { SECRET_LOST, secretBinding, type WebhookKey, withStatus } from '../webhook.ts';
import { auditOf } from '../webhook-audit.ts';
import * as webhookStore from '../webhook-store.ts';
import type { Holders } from './key-holder-store.ts';
import * as keyHolderStore from './key-holder-store.ts';

const REPORT_EVERY_MS = 5_000;
/** On a shared store, a process that has not reported for this long is gone. */
const HELD_MS = 30_000;
/** Long enough that a process whose clock differs keeps its rows. */
const PURGE_AFTER_MS = 86_400_000;
const WEBHOOKS_PER_ROUND = 100;

interface Parts {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Keeps the status of webhooks true to what can be signed. Each process reports the keys that it has. A webhook whose
 * secret no running process can open is disabled, and its pending deliveries become dead letters; it becomes active
 * when a process with its key appears.
 */
export class SecretKeeper {
  readonly #parts: Parts;
  readonly #nodeId = randomUUID();
  readonly #loop: PollingLoop;
  #hasStarted = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#loop = new PollingLoop({
      firstAfterMs: REPORT_EVERY_MS,
      backOffMs: REPORT_EVERY_MS,
      round: async () => {
        await (this.#hasStarted ? this.round() : this.#firstRound());
        return REPORT_EVERY_MS;
      },
      onFailure: (error, inARow) => {
        if (inARow === 1) this.#reportFailure(error);
      },
    });
  }

  /** Does the first round, and repeats it every five seconds. If it fails, as on a full disk, the next one follows. */
  async start(): Promise<void> {
    try {
      await this.#firstRound();
    } catch (error) {
      this.#reportFailure(error);
    }
    this.#loop.start();
  }

  /** Ends the loop. From now on, this process counts as gone. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const { database, logger } = this.#parts;
    try {
      await database.transaction((tx) => keyHolderStore.release(tx, this.#nodeId), { idempotent: true });
    } catch (error) {
      // The other processes notice half a minute later.
      logger.debug({ err: error }, 'keys of webhook secrets not released');
    }
  }

  /** A round without the processes that are gone. */
  async #firstRound(): Promise<void> {
    const { database, clock } = this.#parts;
    // On SQLite this process is the only one on the file: any other was killed.
    const heldBefore = database.engine === 'sqlite' ? Number.MAX_SAFE_INTEGER : clock.now() - PURGE_AFTER_MS;
    await database.transaction((tx) => keyHolderStore.purge(tx, heldBefore), { idempotent: true });
    this.#hasStarted = true;
    await this.round();
  }

  #reportFailure(error: unknown): void {
    this.#parts.logger.warn({ err: error }, 'check of webhook secrets failed');
  }

  async round(): Promise<void> {
    const { database, secrets, clock } = this.#parts;
    const nowMs = clock.now();
    const report = { keyIds: secrets.keyIds, nodeId: this.#nodeId, nowMs };
    await database.transaction((tx) => keyHolderStore.report(tx, report), { idempotent: true });
    const holders = { keyIds: secrets.keyIds, heldSince: nowMs - HELD_MS };
    for (const key of await keyHolderStore.listUnheld(database.read, {
      holders,
      limit: WEBHOOKS_PER_ROUND,
    })) {
      await this.#disable(key, holders);
    }
    for (const key of await keyHolderStore.listLostWithPending(database.read, WEBHOOKS_PER_ROUND)) {
      await this.#failPending(key);
    }
    for (const { webhook, ...key } of await keyHolderStore.listLostUnder(database.read, secrets.keyIds)) {
      const binding = secretBinding(key.tenantId, key.webhookId);
      if (secrets.open(webhook.secret, binding)) await this.#enable(key);
    }
    const ended = { memoryPrefix: MEMORY_PREFIX, disabledBefore: nowMs - RETENTION_MS };
    for (const key of await keyHolderStore.listEnded(database.read, ended)) await this.#remove(key);
  }

  async #disable(key: WebhookKey, holders: Holders): Promise<void> {
    const { database, clock, logger } = this.#parts;
    const nowMs = clock.now();
    const isDisabled = await database.transaction(async (tx) => {
      await feedHeadStore.lock(tx, key.tenantId);
      if (!(await keyHolderStore.isUnheld(tx, key, holders))) return false;
      return giveUp(tx, key, { reason: 'secret_lost', why: SECRET_LOST, nowMs });
    });
    if (isDisabled) logger.warn(key, 'webhook disabled: no running process can read its secret');
  }

  /** In small transactions, so that events never wait long. A killed process leaves the rest to the next round. */
  async #failPending(key: WebhookKey): Promise<void> {
    const { database, clock } = this.#parts;
    const nowMs = clock.now();
    const failure = { error: `The delivery was not made: ${SECRET_LOST}`, nowMs };
    for (let failed = 1; failed > 0; ) {
      failed = await database.transaction(async (tx) => {
        // For their replay, when the webhook is active again.
        await circuitStore.openMany(tx, [openCircuit(key, { nowMs, random: 0 })]);
        return replayStore.failPending(tx, key, failure);
      });
    }
  }

  async #enable(key: WebhookKey): Promise<void> {
    const { database, clock, logger } = this.#parts;
    const { tenantId, webhookId } = key;
    const nowMs = clock.now();
    await database.transaction(async (tx) => {
      await feedHeadStore.lock(tx, tenantId);
      const before = await webhookStore.findForUpdate(tx, tenantId, webhookId);
      if (before?.disabledReason !== 'secret_lost') return;
      const after = { ...withStatus(before, 'active', 'requested'), updatedAtMs: nowMs };
      await webhookStore.update(tx, tenantId, after);
      await circuitStore.probeNow(tx, [key], nowMs);
      const detail = 'Webhook enabled: a process can read its secret again';
      const entry = { ...auditOf(tenantId, after, 'webhook.enable'), detail };
      await auditStore.append(tx, { ...entry, actor: SERVICE, outcome: 'success', requestId: null }, nowMs);
    });
    logger.info(key, 'webhook enabled: its secret can be read again');
  }

  async #remove({ tenantId, webhookId }: WebhookKey): Promise<void> {
    const { database, clock } = this.#parts;
    await database.transaction(async (tx) => {
      await feedHeadStore.lock(tx, tenantId);
      const webhook = await webhookStore.findForUpdate(tx, tenantId, webhookId);
      if (webhook?.disabledReason !== 'secret_lost') return;
      await deliveryStore.removeOfWebhook(tx, tenantId, webhookId);
      await webhookStore.remove(tx, tenantId, webhookId);
      const detail = 'Webhook removed: its secret was lost with the process that held it in memory';
      const entry = { ...auditOf(tenantId, webhook, 'webhook.delete'), detail };
      await auditStore.append(
        tx,
        { ...entry, actor: SERVICE, outcome: 'success', requestId: null },
        clock.now(),
      );
    });
  }
}
