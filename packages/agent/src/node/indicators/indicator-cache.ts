import type { KeyObject } from 'node:crypto';
import {
  BundleError,
  buildIndicatorStore,
  type IndicatorBundle,
  type IndicatorStore,
  openBundle,
} from '@tps/detection/indicators';
import { SerialQueue } from '../../concurrency/serial-queue.ts';
import {
  type AgentIndicators,
  type IndicatorsState,
  type IndicatorTransport,
  NO_INDICATORS,
} from '../../ports/indicators.ts';
import type { AgentStorage } from '../../ports/storage.ts';
import {
  type KeptState,
  parseKey,
  readEnvelope,
  readState,
  writeEnvelope,
  writeState,
} from './cached-indicators.ts';

export interface IndicatorKeeperParts {
  /** A directory of its own: indicators take no room from events. */
  readonly storage: AgentStorage;
  readonly transport: IndicatorTransport;
  readonly tenantId: string;
  readonly nowMs: () => number;
  /** Public keys that bundles may be signed with. Without any, those that the service names first are trusted from then on. */
  readonly indicatorKeys?: readonly string[] | undefined;
}

interface Taken extends Pick<IndicatorBundle, 'version' | 'expiresAtMs'> {
  readonly store: IndicatorStore;
}

/** Holds the tenant's indicators: the last bundle that could be trusted, also while the service is away and after a restart. */
export class IndicatorKeeper implements AgentIndicators {
  readonly #parts: IndicatorKeeperParts;
  readonly #given: readonly KeyObject[] | undefined;
  #known: KeptState;
  #taken: Taken | undefined;
  #refused: string | undefined;
  /** Of two bundles at once the older might be taken last. */
  readonly #refreshes = new SerialQueue();
  /** How far the device's clock is ahead of the service's, as far as known. */
  #aheadMs = 0;

  private constructor(
    parts: IndicatorKeeperParts,
    { given, known }: { given: readonly KeyObject[] | undefined; known: KeptState },
  ) {
    this.#parts = parts;
    this.#given = given;
    this.#known = known;
  }

  /**
   * Reads what was kept. A bundle that is damaged, or not to be trusted, is as if it had never come.
   * @throws TypeError when a key that was given is none
   */
  static async open(parts: IndicatorKeeperParts): Promise<IndicatorKeeper> {
    const given = parts.indicatorKeys?.map((text) => {
      const key = parseKey(text);
      if (key === undefined)
        throw new TypeError('indicatorKeys must be public keys of Ed25519, SPKI in base64.');
      return key;
    });
    const keeper = new IndicatorKeeper(parts, { given, known: await readState(parts.storage) });
    const envelope = await readEnvelope(parts.storage);
    if (envelope !== undefined) await keeper.#take(envelope);
    return keeper;
  }

  get store(): IndicatorStore {
    return this.#holding?.store ?? NO_INDICATORS;
  }

  get state(): IndicatorsState {
    const { version, store } = this.#holding ?? {};
    const { confirmedAt } = this.#known;
    return { count: store?.size ?? 0, version, confirmedAt, refused: this.#refused };
  }

  refresh(signal: AbortSignal): Promise<boolean> {
    return this.#refreshes.run(() => this.#refresh(signal));
  }

  close(): Promise<void> {
    return this.#parts.storage.close();
  }

  async #refresh(signal: AbortSignal): Promise<boolean> {
    const { transport, nowMs, storage } = this.#parts;
    if (!(await this.#hasKeys(signal))) return false;
    const etag = this.#holding === undefined ? undefined : this.#known.etag;
    const outcome = await transport.fetchIndicatorBundle(etag, signal);
    if (outcome.kind !== 'answered') return false;
    if (outcome.serviceTimeMs !== undefined) this.#aheadMs = nowMs() - outcome.serviceTimeMs;
    const confirmedAt = new Date(nowMs()).toISOString();
    const { body } = outcome;
    if (body.kind === 'unchanged') {
      this.#known = { ...this.#known, confirmedAt };
      return true;
    }
    const taken = await this.#take(body.envelope);
    if (taken === undefined) return false;
    this.#known = { ...this.#known, version: taken.version, etag: body.etag, confirmedAt };
    // The bundle first: a state that names a later one than is there would have the one that is there refused. Kept in
    // memory at least; a disk that is full will be tried with the next change.
    await writeEnvelope(storage, body.envelope)
      .then(() => writeState(storage, this.#known))
      .catch(() => {});
    return true;
  }

  get #holding(): Taken | undefined {
    const taken = this.#taken;
    return taken !== undefined && taken.expiresAtMs > this.#serviceTimeMs() ? taken : undefined;
  }

  #serviceTimeMs(): number {
    return this.#parts.nowMs() - this.#aheadMs;
  }

  async #take(envelope: unknown): Promise<Taken | undefined> {
    try {
      const { indicators, version, expiresAtMs } = await openBundle(envelope, {
        publicKeys: this.#given ?? (this.#known.keys ?? []).map(parseKey).filter((key) => key !== undefined),
        tenantId: this.#parts.tenantId,
        notOlderThanVersion: this.#known.version,
        nowMs: this.#serviceTimeMs(),
      });
      this.#taken = { store: await buildIndicatorStore(indicators), version, expiresAtMs };
      this.#refused = undefined;
      return this.#taken;
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      this.#refused = error.code;
      return undefined;
    }
  }

  /** Trusts the service at first use, and afterwards only what was trusted then. */
  async #hasKeys(signal: AbortSignal): Promise<boolean> {
    if (this.#given !== undefined || this.#known.keys !== undefined) return true;
    const outcome = await this.#parts.transport.fetchIndicatorKeys(signal);
    if (outcome.kind !== 'answered' || outcome.body.some((text) => parseKey(text) === undefined))
      return false;
    this.#known = { ...this.#known, keys: outcome.body };
    await writeState(this.#parts.storage, this.#known).catch(() => {});
    return true;
  }
}
