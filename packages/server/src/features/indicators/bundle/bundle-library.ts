import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as indicatorSourceStore from '../indicator-source-store.ts';
import { buildBundle } from './build-bundle.ts';
import type { BundleKey, SigningKey } from './bundle-key.ts';

const DAY_MS = 86_400_000;
/** An unchanged bundle is signed again this often, so that a device that polls never has an expired one. */
const SIGN_EVERY_MS = 7 * DAY_MS;
/** How long a device without contact to the service may use a bundle. */
const VALID_MS = 30 * DAY_MS;
const MAX_CACHED_CHARACTERS = 64 * 1024 * 1024;
/** The most attempts to build a bundle while indicators change. */
const MAX_BUILDS = 3;

export interface BundleLibraryParts {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Clock;
  readonly bundleKey: Pick<BundleKey, 'get'>;
  /** The most characters that all cached envelopes may have together (default 64 Mi). */
  readonly maxCachedCharacters?: number;
}

/** A signed bundle, or only its tag if the caller already has that version. */
export interface FoundBundle {
  readonly etag: string;
  readonly json: string | undefined;
}

/**
 * Builds and caches the signed bundles of tenants. A bundle is built again when indicators of the tenant or global ones
 * have changed. The versions are in the store, so every node notices a change.
 */
export class BundleLibrary {
  readonly #parts: BundleLibraryParts;
  /** The most recently used are at the end. */
  readonly #cached = new Map<TenantId, { etag: string; json: string }>();
  readonly #building = new Map<TenantId, { etag: string; json: Promise<string> }>();
  /** Builds that have not begun, at most one for each tenant: it will have the newest version. */
  readonly #waiting = new Map<TenantId, { keyid: string; json: Promise<string> }>();
  #lastBuild: Promise<unknown> = Promise.resolve();

  constructor(parts: BundleLibraryParts) {
    this.#parts = parts;
  }

  /** Returns the tag of the bundle that `get` returns now. Builds nothing. */
  async getTag(tenantId: TenantId): Promise<string> {
    return (await this.#current(tenantId)).etag;
  }

  /** @param known the tags that the caller has, as in `If-None-Match` */
  async get(tenantId: TenantId, known = ''): Promise<FoundBundle> {
    const { key, etag } = await this.#current(tenantId);
    if (known.includes(etag)) return { etag, json: undefined };
    const cached = this.#cached.get(tenantId);
    if (cached?.etag === etag) {
      this.#cache(tenantId, cached);
      return cached;
    }
    const building = this.#building.get(tenantId);
    if (building?.etag === etag) return { etag, json: await building.json };
    const json = this.#build(tenantId, key);
    const started = { etag, json };
    this.#building.set(tenantId, started);
    try {
      const built = { etag, json: await json };
      this.#cache(tenantId, built);
      return built;
    } finally {
      if (this.#building.get(tenantId) === started) this.#building.delete(tenantId);
    }
  }

  async #current(tenantId: TenantId): Promise<{ key: SigningKey; etag: string }> {
    const { database, clock, bundleKey } = this.#parts;
    const key = await bundleKey.get();
    const versions = await indicatorSourceStore.readVersions(database.read, tenantId);
    return { key, etag: tagOf(key, versions, clock.now()) };
  }

  /**
   * Builds one bundle at a time, because each build has all its indicators in memory. A tenant that changes indicators all
   * the time has one build before those of others, not one for each change.
   */
  #build(tenantId: TenantId, key: SigningKey): Promise<string> {
    const waiting = this.#waiting.get(tenantId);
    if (waiting?.keyid === key.keyid) return waiting.json;
    const build = this.#lastBuild.then(() => {
      this.#waiting.delete(tenantId);
      return this.#buildUnchanged(tenantId, key);
    });
    this.#waiting.set(tenantId, { keyid: key.keyid, json: build });
    this.#lastBuild = build.catch(() => undefined);
    return build;
  }

  /**
   * Builds again if indicators changed in the meantime: the bundle could contain half of an old and half of a new
   * source. The last attempt is used regardless; the next version follows soon.
   */
  async #buildUnchanged(tenantId: TenantId, key: SigningKey): Promise<string> {
    const { database, clock } = this.#parts;
    for (let build = 1; ; build += 1) {
      const before = await indicatorSourceStore.readVersions(database.read, tenantId);
      const generatedAtMs = clock.now();
      const head = { tenantId, generatedAtMs, expiresAtMs: generatedAtMs + VALID_MS };
      const version = before.own + before.global;
      const json = await buildBundle(database.read, { ...head, version }, key);
      const after = await indicatorSourceStore.readVersions(database.read, tenantId);
      if (build === MAX_BUILDS || (after.own === before.own && after.global === before.global)) return json;
    }
  }

  #cache(tenantId: TenantId, bundle: { etag: string; json: string }): void {
    const { maxCachedCharacters = MAX_CACHED_CHARACTERS } = this.#parts;
    this.#cached.delete(tenantId);
    this.#cached.set(tenantId, bundle);
    let characters = [...this.#cached.values()].reduce((sum, { json }) => sum + json.length, 0);
    for (const [oldest, { json }] of this.#cached) {
      if (characters <= maxCachedCharacters) return;
      this.#cached.delete(oldest);
      characters -= json.length;
    }
  }
}

/** A weak tag (RFC 9110 section 8.8.1): the indicators are the same, but each node signs at a different time. */
function tagOf(
  { keyid }: SigningKey,
  { own, global }: { own: number; global: number },
  nowMs: number,
): string {
  return `W/"${keyid.slice(0, 16)}.${own}.${global}.${Math.floor(nowMs / SIGN_EVERY_MS)}"`;
}
