import type { Event, Severity } from '@tps/contract';

/** A stage in an event's life on the device. */
export type EventStage = 'created' | 'enriched' | 'persisted' | 'delivered' | 'archived' | 'refused';
/** When the event reached each stage (RFC 3339, by the device's clock). */
export type EventHistory = Readonly<Partial<Record<EventStage, string>>>;

/** An event before it is sealed: everything except its position in the chain of sent events. */
export type LocalEvent = Omit<Event, 'sequence' | 'previous_event_hash'>;

/** An event to store, with its times (RFC 3339). */
export interface NewRecord {
  readonly event: LocalEvent;
  readonly createdAt: string;
  readonly enrichedAt: string;
}

/** A stored event with its history. */
export interface StoredRecord {
  /** Position in the order of recording, from 1. Never reused, even after everything has been deleted. */
  readonly number: number;
  /** Unredacted. */
  readonly event: LocalEvent;
  readonly history: EventHistory;
  /** Why the service refused the event; undefined unless it did. */
  readonly refusal: Refusal | undefined;
}

/** The service's HTTP status and error code for an event that it refused. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** The end of the device's chain of sent events. */
export interface ChainEnd {
  /** `sequence` of the last sealed event; 0 before the first. */
  readonly sequence: number;
  /** SHA-256 of its RFC 8785 form as sent; undefined when the next event must not name it, because events are missing. */
  readonly hash: string | undefined;
}

/** Turns stored events into what is sent: redacted, and chained from `end` on, in order. Pure. */
export type SealEvents = (
  events: readonly LocalEvent[],
  end: ChainEnd,
) => { events: readonly Event[]; end: ChainEnd };

/** The events being uploaded. Their content does not change any more, even after a crash. */
export interface SealedBatch {
  readonly events: readonly Event[];
}

/** The service's answer to one event of the sealed batch. */
export type UploadResult =
  | { readonly eventId: string; readonly kind: 'archived' }
  | ({ readonly eventId: string; readonly kind: 'refused' } & Refusal);

/** Why new events are held in memory instead of on disk. */
export type SafeModeReason = 'key_unavailable' | 'disk_full' | 'disk_read_only' | 'disk_failed';

/** The state of the event store. Counts are numbers of events. */
export interface StoreState {
  /** `recording`: appended events are on disk. `safe_mode`: they are in bounded memory until the cause is resolved. */
  readonly mode: 'recording' | 'safe_mode';
  readonly reason: SafeModeReason | undefined;
  /** Events in memory only. */
  readonly heldInMemory: number;
  /** Events waiting for upload, including those in the sealed batch and in memory. */
  readonly waiting: number;
  readonly archived: number;
  readonly refused: number;
  /** Events ever dropped for lack of space, by severity. */
  readonly dropped: Readonly<Record<Severity, number>>;
  /** How many of the events lost on this device, dropped or missing, no status event has declared yet. */
  readonly undeclared: number;
  /** Records that cannot be read because their bytes are damaged. */
  readonly damaged: number;
  /** Records ever found missing: they were stored, and their files were removed, cut off or damaged since. */
  readonly missing: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/**
 * The local event store: append-only, encrypted, bounded. One process at a time.
 *
 * It survives a kill at any moment: events that `append` reported as persisted are present, a sealed batch keeps its
 * content until each of its events has a result, and no event number or nonce is used twice.
 */
export interface EventStore {
  /**
   * Stores events, in order. Resolves with `held` if they are in memory only, in safe mode.
   * @throws TypeError when one takes more than 255 KiB of JSON
   */
  append(records: readonly NewRecord[]): Promise<'persisted' | 'held'>;
  /**
   * Returns the batch to upload. That is the batch sealed before, without the events that already have a result; or else
   * a new one of the waiting events, those of highest severity first and of these the oldest, within the limits.
   * Undefined when no event waits. Skips events for which `isDue` is false.
   */
  seal(limits: SealLimits): Promise<SealedBatch | undefined>;
  /** Stores the service's results. Events of the batch without a result stay in it. Idempotent. */
  settle(results: readonly UploadResult[]): Promise<void>;
  /** Returns a stored event with its history. An event held in memory has the number 0 until it is on disk. */
  find(eventId: string): Promise<StoredRecord | undefined>;
  /** Iterates over the stored events, oldest first. */
  records(): AsyncIterable<StoredRecord>;
  /** Records that a status event has declared this many dropped events. */
  declareDropped(count: number): Promise<void>;
  /**
   * Removes the segments whose events were all archived or refused before the time, with their data keys. Returns the
   * number of removed events. Irreversible.
   */
  removeArchivedBefore(archivedBeforeMs: number): Promise<number>;
  /** Wraps every data key under the current storage key, after a rotation. Resumable. */
  rewrap(): Promise<void>;
  /** In safe mode: checks whether the cause is resolved, and then stores the events held in memory. */
  recover(): Promise<void>;
  state(): StoreState;
  /** Checks that each stored record names the one before it. Reads everything. */
  verify(): Promise<ChainReport>;
  /** Flushes and releases everything. Events held in memory only are lost; the state says how many. */
  close(): Promise<void>;
}

/** The result of verifying the local chain. */
export interface ChainReport {
  readonly records: number;
  /** Pairs of record numbers where the second does not name the first and no deletion by the store explains it. */
  readonly breaks: readonly { readonly after: number; readonly before: number }[];
}

export interface SealLimits {
  readonly maxEvents: number;
  /** Size of the events' JSON as sent. One event always fits. */
  readonly maxBytes: number;
  /** Whether an event may be sent now; an event dated ahead of the service's clock has to wait. */
  readonly isDue?: (event: LocalEvent) => boolean;
}

/** How durable an appended event is when `append` resolves. */
export type FsyncPolicy =
  /** It survives a loss of power. The default. */
  | 'always'
  /** It survives the end of the process; the operating system writes it to disk within seconds. */
  | 'never';

/** Events of high and critical severity have their own segments, which are the last to be deleted. */
export function isHighSeverity({ severity }: { severity: Severity }): boolean {
  return severity === 'high' || severity === 'critical';
}
