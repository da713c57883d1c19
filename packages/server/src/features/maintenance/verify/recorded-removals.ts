import type { Row } from '../../../database/tables/index.ts';

/** Retention is set in whole days. */
const DAY_MS = 86_400_000;

/** Why rows may be missing, as far as the audit log explains it. */
export interface Removals {
  /** Retention may have removed derived rows that last changed before. */
  readonly purgedBeforeMs: number;
  /** How many events, and places of erased ones, retention has removed at the beginning of the feed. */
  readonly purgedEvents: number;
  /** A deletion on request may have removed or changed rows from before. */
  readonly deletedBeforeMs: number;
  /** The log has every change since. */
  readonly knownSinceMs: number;
  /** False for a store of a version that has no places of erased events. */
  readonly mayBeErased: boolean;
  /** The number of devices that may have been deleted on request. */
  readonly deletedDevices: number;
  /** Whether a deletion on request is under way: what refers to deleted rows follows later. */
  readonly isDeleting: boolean;
}

/** A store of a version that had no complete log: anything may have been removed. */
export const UNRECORDED: Removals = {
  purgedBeforeMs: Number.POSITIVE_INFINITY,
  purgedEvents: Number.POSITIVE_INFINITY,
  deletedBeforeMs: Number.POSITIVE_INFINITY,
  knownSinceMs: Number.POSITIVE_INFINITY,
  mayBeErased: false,
  deletedDevices: 0,
  isDeleting: false,
};

interface RetentionFields {
  readonly data_class: string;
  readonly cutoff: string;
  readonly rows: Readonly<Partial<Record<string, number>>>;
}

/** Collects what the audit log of one tenant says about rows that the service itself has removed. */
export class RecordedRemovals {
  readonly #deletions = new Set<string>();
  #purgedBeforeMs = 0;
  #purgedEvents = 0;
  #deletedBeforeMs = 0;
  #deletedDevices = 0;
  #firstMs: number | undefined;

  add({ action, outcome, occurred_at: atMs, resource_id: id, fields }: Row<'audit_entries'>): void {
    this.#firstMs ??= atMs;
    if (outcome !== 'success') return;
    if (action === 'retention.run') {
      const { data_class: dataClass, cutoff, rows } = JSON.parse(fields) as RetentionFields;
      if (dataClass === 'events') this.#purgedEvents += (rows.events ?? 0) + (rows.erased_events ?? 0);
      if (dataClass === 'derived') this.#purgedBeforeMs = Math.max(this.#purgedBeforeMs, Date.parse(cutoff));
    }
    if (action === 'data_request.delete') {
      this.#deletions.add(id);
      const { subject_type: type } = JSON.parse(fields) as { subject_type: string };
      if (type === 'device_id') this.#deletedDevices += 1;
    }
    if (action === 'data_request.complete') {
      this.#deletions.delete(id);
      this.#deletedBeforeMs = atMs;
    }
  }

  /** An incomplete log says nothing about the time before its first entry. */
  settle({ isComplete, mayBeErased }: { isComplete: boolean; mayBeErased: boolean }): Removals {
    const knownSinceMs = isComplete ? 0 : (this.#firstMs ?? Number.POSITIVE_INFINITY);
    const isDeleting = this.#deletions.size > 0;
    return {
      knownSinceMs,
      mayBeErased,
      isDeleting,
      purgedEvents: isComplete ? this.#purgedEvents : Number.POSITIVE_INFINITY,
      purgedBeforeMs: Math.max(this.#purgedBeforeMs, knownSinceMs - DAY_MS),
      deletedBeforeMs: isDeleting ? Number.POSITIVE_INFINITY : Math.max(this.#deletedBeforeMs, knownSinceMs),
      deletedDevices: this.#deletedDevices,
    };
  }
}
