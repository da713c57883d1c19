import type { Action, Event, Severity } from '@tps/contract';

/** Where an event stands in its life on the device, and since when (RFC 3339, by the device's clock). */
export type Stage = 'created' | 'enriched' | 'persisted' | 'delivered' | 'archived' | 'refused';
export type History = Readonly<Partial<Record<Stage, string>>>;

/** An event as it is decided and enriched: everything but its place in the chain, which it gets when it is sealed. */
export type LocalEvent = Omit<Event, 'sequence' | 'previous_event_hash'>;

export interface NewRecord {
  readonly event: LocalEvent;
  readonly createdAt: string;
  readonly enrichedAt: string;
}

/** A stored event with what is known of it. */
export interface StoredRecord {
  /** Place in the order of recording, from 1. Never used twice, also after everything has been deleted. */
  readonly number: number;
  /** Unredacted. */
  readonly event: LocalEvent;
  readonly history: History;
  /** Why the service refused it; undefined unless it did. */
  readonly refusal: Refusal | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** Where the device's chain of sent events ends. */
export interface ChainEnd {
  /** `sequence` of the last sealed event; 0 before the first. */
  readonly sequence: number;
  /** SHA-256 of its RFC 8785 form as sent; undefined when the next one must not name it, since events are missing. */
  readonly hash: string | undefined;
}

/** Turns stored events into what is sent: redacted, and chained from `end` on, in order. Pure. */
export type SealEvents = (
  events: readonly LocalEvent[],
  end: ChainEnd,
) => { events: readonly Event[]; end: ChainEnd };

/** Events that are being uploaded. Their content no longer changes, whatever happens to the device. */
export interface SealedBatch {
  readonly events: readonly Event[];
}

/** What the service said of one event of the sealed batch. */
export type Verdict =
  | { readonly eventId: string; readonly kind: 'archived' }
  | ({ readonly eventId: string; readonly kind: 'refused' } & Refusal);

/** Why new events are held in memory instead of on disk. */
export type SafeModeReason = 'key_unavailable' | 'disk_full' | 'disk_read_only' | 'disk_failed';

export interface StoreState {
  /** `recording`: an appended event is on disk. `safe_mode`: it is in bounded memory until the cause is gone. */
  readonly mode: 'recording' | 'safe_mode';
  readonly reason: SafeModeReason | undefined;
  /** Events in memory only. */
  readonly heldInMemory: number;
  /** Events that wait for an upload, those in the sealed batch and in memory included. */
  readonly waiting: number;
  readonly archived: number;
  readonly refused: number;
  /** Ever dropped because there was no room, by severity. */
  readonly dropped: Readonly<Record<Severity, number>>;
  /** Of those, what no status event has declared yet. */
  readonly undeclared: number;
  /** Records that could not be read back because their bytes were damaged. */
  readonly damaged: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/**
 * The local event store: append-only, encrypted, bounded. One process at a time.
 *
 * Survives a kill at any moment: what `append` resolved as persisted is there, a sealed batch keeps its content until
 * each of its events has a verdict, and no event number or nonce is ever used twice.
 */
export interface EventStore {
  /**
   * Stores events, in order. Says `held` for those that are in memory only, in safe mode.
   * @throws TypeError when one takes more than 255 KiB of JSON
   */
  append(records: readonly NewRecord[]): Promise<'persisted' | 'held'>;
  /**
   * Gives the batch that is being uploaded: the one sealed before, without what already has its verdict, or else a new
   * one of the gravest and, among those, oldest waiting events, within the limits. Undefined when nothing waits.
   * Events are skipped for which `isDue` is false.
   */
  seal(limits: SealLimits): Promise<SealedBatch | undefined>;
  /** Notes what the service said. Events of the batch without a verdict stay in it. Repeats do no harm. */
  settle(verdicts: readonly Verdict[]): Promise<void>;
  /** Finds a stored event with its history. One that is held in memory has the number 0: it gets one on disk. */
  find(eventId: string): Promise<StoredRecord | undefined>;
  /** Goes through all that is stored, oldest first. */
  records(): AsyncIterable<StoredRecord>;
  /** Notes that a status event has declared this many dropped events. */
  declareDropped(count: number): Promise<void>;
  /**
   * Removes segments whose events have all been archived or refused before that time, with their data keys, and gives
   * how many events went. Irreversible.
   */
  removeArchivedBefore(archivedBeforeMs: number): Promise<number>;
  /** Wraps every data key anew after the storage key was rotated. Resumable. */
  rewrap(): Promise<void>;
  /** In safe mode: tries whether the cause is gone, and then stores what is held. */
  recover(): Promise<void>;
  state(): StoreState;
  /** Says whether each stored record names the one before it. Reads everything. */
  verify(): Promise<ChainReport>;
  /** Flushes and releases everything. What is held in memory only is lost; the state says how much that is. */
  close(): Promise<void>;
}

/** What a look at the local chain found. */
export interface ChainReport {
  readonly records: number;
  /** Places, by number, where a record does not name the one before it and no deletion explains that. */
  readonly breaks: readonly { readonly after: number; readonly before: number }[];
}

export interface SealLimits {
  readonly maxEvents: number;
  /** Of the events' JSON as sent. One event always fits. */
  readonly maxBytes: number;
  /** Whether an event may be sent now; one with a time ahead of the service's clock has to wait. */
  readonly isDue?: (event: LocalEvent) => boolean;
}

/** How durable an appended event is when `append` resolves. */
export type FsyncPolicy =
  /** It survives a loss of power. The default. */
  | 'always'
  /** It survives the death of the process; the operating system writes it within seconds. */
  | 'never';

/** High and critical events are kept in segments of their own, which leave the ring last. */
export function isGrave({ severity }: { severity: Severity; action_taken?: Action }): boolean {
  return severity === 'high' || severity === 'critical';
}
