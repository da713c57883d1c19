import {
  BundleError,
  type BundleErrorCode,
  buildIndicatorIndex,
  canVerifyBundles,
  type IndicatorBundle,
  type IndicatorIndex,
  openBundle,
} from '@tps/detection/indicator-bundle';
import { SerialQueue } from '../concurrency/serial-queue.ts';
import { isSameTag } from '../encoding/entity-tag.ts';
import {
  type AgentIndicators,
  type IndicatorsState,
  type IndicatorTransport,
  NO_INDICATORS,
} from '../ports/indicators.ts';
import type { AgentStorage } from '../ports/storage.ts';
import type { CurrentTag } from '../ports/transport.ts';
import {
  areVerifyingKeys,
  type CachedState,
  readEnvelope,
  readState,
  writeEnvelope,
  writeState,
} from './cached-indicators.ts';

export interface IndicatorCacheParts {
  /** A separate directory: indicators do not use the disk budget of events. */
  readonly storage: AgentStorage;
  readonly transport: IndicatorTransport;
  readonly tenantId: string;
  readonly nowMs: () => number;
  /** Public keys that may sign bundles. Without any, the keys that the service lists at first use are trusted. */
  readonly indicatorKeys?: readonly string[] | undefined;
}

interface ActiveBundle extends Pick<IndicatorBundle, 'version' | 'expiresAtMs'> {
  readonly index: IndicatorIndex;
}

/** The tenant's indicators: the last trusted bundle. It survives a restart and an unreachable service. */
export class IndicatorCache implements AgentIndicators {
  readonly #parts: IndicatorCacheParts;
  #known: CachedState;
  #bundle: ActiveBundle | undefined;
  #refused: BundleErrorCode | undefined;
  /** With two refreshes at once, the older bundle could be accepted last. */
  readonly #refreshes = new SerialQueue();
  /** How far the device's clock is ahead of the service's, by the last bundle: the cache works before the agent is open. */
  #aheadMs = 0;

  private constructor(parts: IndicatorCacheParts, known: CachedState) {
    this.#parts = parts;
    this.#known = known;
  }

  /**
   * Loads the stored bundle. A bundle that is damaged or cannot be trusted counts as none.
   * @throws TypeError when one of `indicatorKeys` does not have the form of an Ed25519 public key
   */
  static async open(parts: IndicatorCacheParts): Promise<IndicatorCache> {
    if (parts.indicatorKeys !== undefined && !areVerifyingKeys(parts.indicatorKeys)) {
      throw new TypeError('indicatorKeys must be Ed25519 public keys: SubjectPublicKeyInfo in DER, base64.');
    }
    const cache = new IndicatorCache(parts, await readState(parts.storage));
    const envelope = await readEnvelope(parts.storage);
    if (envelope !== undefined) await cache.#accept(envelope);
    return cache;
  }

  get index(): IndicatorIndex {
    return this.#active?.index ?? NO_INDICATORS;
  }

  get state(): IndicatorsState {
    const { version, index } = this.#active ?? {};
    const { confirmedAt } = this.#known;
    return { count: index?.size ?? 0, version, confirmedAt, refused: this.#refused };
  }

  refresh(signal: AbortSignal, current?: CurrentTag): Promise<boolean> {
    return this.#refreshes.run(() => this.#refresh(signal, current));
  }

  close(): Promise<void> {
    return this.#parts.storage.close();
  }

  async #refresh(signal: AbortSignal, current: CurrentTag | undefined): Promise<boolean> {
    const { transport, storage } = this.#parts;
    if (!(await canVerifyBundles())) {
      // Without this, a large bundle would be downloaded at each poll, and rejected.
      this.#refused = 'not_verifiable';
      return false;
    }
    if (!(await this.#hasKeys(signal))) return false;
    this.#noteTime(current?.serviceTimeMs);
    const etag = this.#active === undefined ? undefined : this.#known.etag;
    if (isSameTag(etag, current?.etag)) return this.#confirm();
    const outcome = await transport.fetchIndicatorBundle(etag, signal);
    if (outcome.kind !== 'answered') return false;
    this.#noteTime(outcome.serviceTimeMs);
    const { body } = outcome;
    if (body.kind === 'unchanged') return this.#confirm();
    const accepted = await this.#accept(body.envelope);
    if (accepted === undefined) return false;
    this.#known = { ...this.#known, version: accepted.version, etag: body.etag };
    this.#confirm();
    // The bundle first: a state with a later version than the stored bundle's would cause that bundle to be rejected. If
    // the disk is full, both are in memory only; the next change tries to store them again.
    await writeEnvelope(storage, body.envelope)
      .then(() => writeState(storage, this.#known))
      .catch(() => {});
    return true;
  }

  #noteTime(serviceTimeMs: number | undefined): void {
    if (serviceTimeMs !== undefined) this.#aheadMs = this.#parts.nowMs() - serviceTimeMs;
  }

  #confirm(): true {
    this.#known = { ...this.#known, confirmedAt: new Date(this.#parts.nowMs()).toISOString() };
    return true;
  }

  /** The bundle in force; undefined once it has expired. */
  get #active(): ActiveBundle | undefined {
    const bundle = this.#bundle;
    return bundle !== undefined && bundle.expiresAtMs > this.#serviceTimeMs() ? bundle : undefined;
  }

  #serviceTimeMs(): number {
    return this.#parts.nowMs() - this.#aheadMs;
  }

  async #accept(envelope: unknown): Promise<ActiveBundle | undefined> {
    try {
      const { indicators, version, expiresAtMs } = await openBundle(envelope, {
        publicKeys: this.#parts.indicatorKeys ?? this.#known.keys ?? [],
        tenantId: this.#parts.tenantId,
        notOlderThanVersion: this.#known.version,
        nowMs: this.#serviceTimeMs(),
      });
      this.#bundle = { index: await buildIndicatorIndex(indicators), version, expiresAtMs };
      this.#refused = undefined;
      return this.#bundle;
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      this.#refused = error.code;
      return undefined;
    }
  }

  /** Trust on first use: the keys that the service lists first are the only ones trusted later. */
  async #hasKeys(signal: AbortSignal): Promise<boolean> {
    if (this.#parts.indicatorKeys !== undefined || this.#known.keys !== undefined) return true;
    const outcome = await this.#parts.transport.fetchIndicatorKeys(signal);
    if (outcome.kind !== 'answered' || !areVerifyingKeys(outcome.body)) return false;
    this.#known = { ...this.#known, keys: outcome.body };
    await writeState(this.#parts.storage, this.#known).catch(() => {});
    return true;
  }
}
