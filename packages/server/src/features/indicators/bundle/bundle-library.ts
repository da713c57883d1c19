import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as indicatorSourceStore from '../indicator-source-store.ts';
import { buildBundle } from './build-bundle.ts';
import type { BundleKey, SigningKey } from './bundle-key.ts';

const DAY_MS = 86_400_000;
/** A bundle that does not change is signed anew this often, so that a device that asks never holds an expired one. */
const SIGNED_EVERY_MS = 7 * DAY_MS;
/** Longest time that a device which hears nothing goes on using what it has. */
const HOLDS_MS = 30 * DAY_MS;
const KEPT_CHARACTERS = 64 * 1024 * 1024;
/** How often a build starts over when indicators change under it. */
const BUILDS = 3;

export interface BundleLibraryParts {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Clock;
  readonly bundleKey: Pick<BundleKey, 'get'>;
  /** What the envelopes that are kept may take together. 64 Mi unless given. */
  readonly keptCharacters?: number;
}

/** A signed bundle, or only its tag when the caller has that already. */
export interface FoundBundle {
  readonly etag: string;
  readonly json: string | undefined;
}

/**
 * Gives tenants their signed bundles. An envelope is kept while there is room, and made anew when indicators of the tenant
 * or of all have changed: what is in force is counted in the store, so that every node knows.
 */
export class BundleLibrary {
  readonly #parts: BundleLibraryParts;
  /** Those used last are at the end. */
  readonly #kept = new Map<TenantId, { etag: string; json: string }>();
  readonly #building = new Map<TenantId, { etag: string; json: Promise<string> }>();
  #lastBuild: Promise<unknown> = Promise.resolve();

  constructor(parts: BundleLibraryParts) {
    this.#parts = parts;
  }

  /** @param known what the caller has: tags as in `If-None-Match` */
  async get(tenantId: TenantId, known = ''): Promise<FoundBundle> {
    const { database, clock, bundleKey } = this.#parts;
    const key = await bundleKey.get();
    const versions = await indicatorSourceStore.readVersions(database.read, tenantId);
    const etag = tagOf(key, versions, clock.now());
    if (known.includes(etag)) return { etag, json: undefined };
    const kept = this.#kept.get(tenantId);
    if (kept?.etag === etag) {
      this.#keep(tenantId, kept);
      return kept;
    }
    const building = this.#building.get(tenantId);
    if (building?.etag === etag) return { etag, json: await building.json };
    const json = this.#build(tenantId, key);
    const started = { etag, json };
    this.#building.set(tenantId, started);
    try {
      const made = { etag, json: await json };
      this.#keep(tenantId, made);
      return made;
    } finally {
      if (this.#building.get(tenantId) === started) this.#building.delete(tenantId);
    }
  }

  /** One after the other: each takes as much memory as all that it holds. */
  #build(tenantId: TenantId, key: SigningKey): Promise<string> {
    const build = this.#lastBuild.then(() => this.#buildUnchanged(tenantId, key));
    this.#lastBuild = build.catch(() => undefined);
    return build;
  }

  /**
   * A source that is replaced while it is read would be in it half old and half new. Then it is read once more; under
   * changes that do not end it is given all the same, and the next version follows.
   */
  async #buildUnchanged(tenantId: TenantId, key: SigningKey): Promise<string> {
    const { database, clock } = this.#parts;
    for (let build = 1; ; build += 1) {
      const before = await indicatorSourceStore.readVersions(database.read, tenantId);
      const generatedAtMs = clock.now();
      const head = { tenantId, generatedAtMs, expiresAtMs: generatedAtMs + HOLDS_MS };
      const version = before.own + before.global;
      const json = await buildBundle(database.read, { ...head, version }, key);
      const after = await indicatorSourceStore.readVersions(database.read, tenantId);
      if (build === BUILDS || (after.own === before.own && after.global === before.global)) return json;
    }
  }

  #keep(tenantId: TenantId, bundle: { etag: string; json: string }): void {
    const { keptCharacters = KEPT_CHARACTERS } = this.#parts;
    this.#kept.delete(tenantId);
    this.#kept.set(tenantId, bundle);
    let characters = [...this.#kept.values()].reduce((sum, { json }) => sum + json.length, 0);
    for (const [oldest, { json }] of this.#kept) {
      if (characters <= keptCharacters) return;
      this.#kept.delete(oldest);
      characters -= json.length;
    }
  }
}

/** Weak (RFC 9110 section 8.8.1): the same indicators, but each node signs at its own moment. */
function tagOf(
  { keyid }: SigningKey,
  { own, global }: { own: number; global: number },
  nowMs: number,
): string {
  return `W/"${keyid.slice(0, 16)}.${own}.${global}.${Math.floor(nowMs / SIGNED_EVERY_MS)}"`;
}
