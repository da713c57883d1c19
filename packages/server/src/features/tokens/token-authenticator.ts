import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Batcher, createBatcher } from '../../platform/concurrency/batcher.ts';
import { hashCredential, isWellFormedCredential } from '../../platform/crypto/credentials.ts';
import type { Caller } from '../../platform/http/route.ts';
import type { Logger } from '../../platform/logger.ts';
import { tokenStatus } from '../authority/index.ts';
import { findByHashes } from './credential-read-model.ts';
import { bindingOf, type TokenRecord } from './token.ts';
import * as tokenStore from './token-store.ts';

/** A caller, and the rate limit of its tenant, if one is set. */
export interface AuthenticationResult {
  readonly caller: Caller;
  readonly limit: number | null;
}

type Found = { token: TokenRecord; limit: number | null };

/** An active token that was read from the store, and when. */
interface KnownToken {
  readonly token: TokenRecord;
  readonly result: AuthenticationResult;
  readonly readAtMs: number;
  /** The last use that is stored or waits to be. */
  usedAtMs: number | null;
}

/** `last_used_at` is written in the background, at most once in this time per token. */
const USE_RECORDED_EVERY_MS = 60_000;
/** A fleet has thousands of credentials, and the service knows when it last saw each device. */
const DEVICE_USE_RECORDED_EVERY_MS = 86_400_000;
const MAX_LOOKUPS = 4096;
/** A fleet sends from thousands of devices, each with its own credential; 20 000 tokens take about 15 MB. */
const MAX_KNOWN = 20_000;
const KNOWN_FOR_MS = 60_000;

/**
 * Identifies the owner of a credential. `authenticate` reads the store, so a revoked token is rejected on every node as
 * soon as its revocation was confirmed; concurrent requests share one read. `recall` does not read the store.
 */
export class TokenAuthenticator {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #lookups: Batcher<string, Found | undefined>;
  readonly #known = new LRUCache<string, KnownToken>({ max: MAX_KNOWN });
  readonly #unrecordedUses = new Map<string, { token: TokenRecord; atMs: number }>();

  constructor({ database, clock, logger }: { database: Database; clock: Clock; logger: Logger }) {
    this.#database = database;
    this.#clock = clock;
    this.#logger = logger;
    this.#lookups = createBatcher({
      run: (hashes) => this.#findAll(hashes),
      maxBatch: 512,
      maxQueue: MAX_LOOKUPS,
    });
  }

  /** Returns undefined for unknown, malformed, expired and revoked credentials alike: they must look the same. */
  async authenticate(credential: string): Promise<AuthenticationResult | undefined> {
    if (!isWellFormedCredential(credential)) return undefined;
    const hash = hashCredential(credential);
    const found = await this.#lookups.submit(hash);
    const nowMs = this.#clock.now();
    if (!found || tokenStatus(found.token, nowMs) !== 'active') {
      this.#known.delete(hash);
      return undefined;
    }
    const { token, limit } = found;
    const result = { caller: toCaller(token), limit };
    const known = { token, result, readAtMs: nowMs, usedAtMs: token.lastUsedAtMs };
    this.#known.set(hash, known);
    this.#recordUse(known, nowMs);
    return result;
  }

  /**
   * Returns what `authenticate` returned at most a minute ago, unless the token has expired. The token may have been revoked
   * since. Only for requests that succeed in a transaction that confirms the token, and that call `authenticate` before they
   * are refused.
   */
  recall(credential: string): AuthenticationResult | undefined {
    const known = this.#known.get(hashCredential(credential));
    const nowMs = this.#clock.now();
    if (!known || Math.abs(nowMs - known.readAtMs) >= KNOWN_FOR_MS) return undefined;
    if (tokenStatus(known.token, nowMs) !== 'active') return undefined;
    this.#recordUse(known, nowMs);
    return known.result;
  }

  /** Writes the recorded times of use. Called regularly, and before the process ends. */
  async recordUses(): Promise<void> {
    // Sorted, so that two nodes lock the same tokens in the same order.
    const uses = [...this.#unrecordedUses.values()].sort((one, other) =>
      one.token.tokenId < other.token.tokenId ? -1 : 1,
    );
    this.#unrecordedUses.clear();
    if (uses.length === 0) return;
    try {
      await this.#database.transaction(async (tx) => {
        for (const { token, atMs } of uses) await tokenStore.markUsed(tx, token, atMs);
      });
    } catch (error) {
      this.#logger.warn({ err: error }, 'recording of token use failed');
    }
  }

  async #findAll(hashes: string[]): Promise<PromiseSettledResult<Found | undefined>[]> {
    const found = await findByHashes(this.#database.read, [...new Set(hashes)]);
    return hashes.map((hash) => ({ status: 'fulfilled', value: found.get(hash) }));
  }

  #recordUse(known: KnownToken, nowMs: number): void {
    const { token, usedAtMs } = known;
    const everyMs = token.deviceId === null ? USE_RECORDED_EVERY_MS : DEVICE_USE_RECORDED_EVERY_MS;
    if (usedAtMs !== null && nowMs - usedAtMs < everyMs) return;
    known.usedAtMs = nowMs;
    this.#unrecordedUses.set(token.tokenId, { token, atMs: nowMs });
  }
}

function toCaller(token: TokenRecord): Caller {
  const { tokenId, tenantId, scopes, expiresAtMs, deviceId, issued } = token;
  return {
    tokenId,
    tenantId,
    scopes,
    expiresAtMs,
    boundTo: bindingOf(token),
    deviceId: deviceId ?? undefined,
    issued: issued ?? undefined,
  };
}
