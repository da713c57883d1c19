import type { Severity } from '@tps/contract';
import { SEVERITIES } from '@tps/contract/vocabulary';
import type { AgentStorage } from '../ports/storage.ts';
import type { Journal } from './journal/journal.ts';
import type { CountBySeverity, DeletionReason } from './journal/journal-record.ts';
import type { JournalState } from './journal/journal-state.ts';
import { toRanges } from './journal/number-ranges.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Catalog } from './segments/catalog.ts';
import type { EventLog } from './segments/event-log.ts';
import { isWaiting, type Segment } from './segments/segment.ts';
import { keyFile, logFile } from './segments/segment-name.ts';

export interface RingOptions {
  readonly storage: AgentStorage;
  readonly catalog: Catalog;
  readonly journalState: JournalState;
  readonly journal: Journal;
  readonly log: EventLog;
  readonly budgetBytes: number;
  readonly segmentBytes: number;
  readonly otherBytes: number;
  readonly outbox: () => Outbox | undefined;
  readonly nowIso: () => string;
  readonly onDropped: (count: number) => void;
  readonly leftovers: readonly string[];
}

/** The part of the budget reserved for a sealed batch, which is its maximum size. */
export const OUTBOX_SHARE = 1 / 8;

/** Keeps the store within its budget: deletes whole segments, those whose loss costs least first. */
export class Ring {
  readonly #options: RingOptions;
  /** Files whose deletion is in the journal but not yet done. */
  readonly #leftovers: Set<string>;

  constructor(options: RingOptions) {
    this.#options = options;
    this.#leftovers = new Set(options.leftovers);
  }

  get usedBytes(): number {
    const { catalog, journal, otherBytes, outbox } = this.#options;
    return catalog.bytesOnDisk + journal.bytesOnDisk + otherBytes + (outbox()?.sizeBytes ?? 0);
  }

  /** Names of the files still to be removed. */
  get pending(): ReadonlySet<string> {
    return this.#leftovers;
  }

  /** Deletes segments until this many bytes of events fit. */
  async makeRoom(bytes: number): Promise<void> {
    const { catalog } = this.#options;
    while (catalog.bytesOnDisk + bytes > this.#roomForEvents()) {
      const victim = victimOf(catalog.segments);
      if (victim === undefined) {
        return;
      }
      await this.delete(victim, victim.opener === undefined ? 'nothing_readable' : 'no_room');
    }
  }

  /** Deletes a segment: writes that to the journal, destroys the key, then removes the file. Irreversible. */
  async delete(segment: Segment, reason: DeletionReason): Promise<void> {
    const { catalog, journal, journalState, log, nowIso, onDropped } = this.#options;
    await log.retire(segment);
    const dropped = this.#droppedWith(segment);
    await journal.write({
      kind: 'deleted',
      segment: segment.name,
      numbers: toRanges(segment.entries.map(({ number }) => number)),
      at: nowIso(),
      reason,
      dropped,
      head: journalState.head,
    });
    catalog.remove(segment);
    this.#leftovers.add(keyFile(segment.name)).add(logFile(segment.name));
    const count = SEVERITIES.reduce((sum, severity) => sum + (dropped[severity] ?? 0), 0);
    if (count > 0) {
      onDropped(count);
    }
    await this.removeLeftovers();
  }

  /** Removes a file that is no longer needed: now, or as soon as the disk allows. */
  async removeLater(name: string): Promise<void> {
    this.#leftovers.add(name);
    await this.removeLeftovers();
  }

  async removeLeftovers(): Promise<void> {
    for (const name of this.#leftovers) {
      await this.#options.storage.remove(name);
      this.#leftovers.delete(name);
    }
  }

  /** A new journal segment exists beside the old one for a moment, so space for both is reserved. */
  #roomForEvents(): number {
    const { budgetBytes, segmentBytes, otherBytes, journal, outbox } = this.#options;
    const forOutbox = Math.max(budgetBytes * OUTBOX_SHARE, outbox()?.sizeBytes ?? 0);
    return budgetBytes - otherBytes - forOutbox - 2 * Math.max(segmentBytes, journal.bytesOnDisk);
  }

  /** Events in the sealed batch are not lost with their segment. */
  #droppedWith(segment: Segment): CountBySeverity {
    const entries = this.#options.outbox()?.entries;
    const dropped: Partial<Record<Severity, number>> = {};
    for (const entry of segment.entries.filter(isWaiting)) {
      const severity = SEVERITIES[entry.rank];
      if (severity !== undefined && !entries?.has(entry.number)) {
        dropped[severity] = (dropped[severity] ?? 0) + 1;
      }
    }
    return dropped;
  }
}

/** The oldest segment that is settled; else the oldest of the ordinary events; else the oldest of high severity. */
function victimOf(segments: readonly Segment[]): Segment | undefined {
  return (
    segments.find(({ isSettled }) => isSettled) ??
    segments.find(({ lane }) => lane === 'ordinary') ??
    segments.find(({ lane }) => lane === 'priority')
  );
}
