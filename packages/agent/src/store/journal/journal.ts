import { SerialQueue } from '../../concurrency/serial-queue.ts';
import { encodeText } from '../../encoding/bytes.ts';
import { keyFile, logFile, segmentName } from '../segments/segment-name.ts';
import { type SegmentPorts, type SegmentWriter, startSegment } from '../segments/segment-writer.ts';
import type { JournalRecord } from './journal-record.ts';
import type { JournalState } from './journal-state.ts';

export interface JournalOptions extends SegmentPorts {
  readonly journalState: JournalState;
  readonly nextCounter: () => number;
  /** Returns the records that a new journal segment starts with: everything known so far. */
  readonly snapshot: () => JournalRecord[];
  readonly segmentBytes: number;
  /** The existing journal segments with their sizes. The next one replaces them. */
  readonly before: ReadonlyMap<string, number>;
}

/**
 * Records what became of events, and how far the log of events goes. A write is durable when it resolves, under every
 * fsync policy: its content cannot be recovered from anywhere else.
 *
 * One journal segment exists at a time. A new one restates the one before, which is removed only when the new one is
 * complete and on disk: at any moment one of the two can be read.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #replaced: Map<string, number>;
  #writer: SegmentWriter | undefined;
  #restartAtBytes = 0;
  /** Writes run one at a time: heads are noted beside the store's other changes. */
  readonly #queue = new SerialQueue();
  #waitingNote: ReturnType<typeof setTimeout> | undefined;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#replaced = new Map(options.before);
  }

  get bytesOnDisk(): number {
    let bytes = this.#writer === undefined ? 0 : this.#writer.sizeBytes + this.#writer.keyFileBytes;
    for (const size of this.#replaced.values()) {
      bytes += size;
    }
    return bytes;
  }

  /** Writes a record and applies it to the journal state. After a rejection it has no effect in this process. */
  write(record: JournalRecord): Promise<void> {
    return this.#queue.run(async () => {
      await this.#writeNote();
      await this.#append(record, { isSynced: true });
      this.#options.journalState.apply(record);
    });
  }

  /** Starts this process's segment, unless it is there. A segment of events exists only beside a journal. */
  open(): Promise<void> {
    return this.#queue.run(() => this.#openWriter().then(() => undefined));
  }

  /**
   * Notes the newest record, without a sync and without waiting: it survives the end of the process, and the log is never
   * behind it. A failure has no effect here; the next write starts a new segment.
   *
   * Records that follow each other within a millisecond share a note, because a note costs half the processor time of a
   * record. It is written while the disk syncs one of them.
   */
  noteHead(): void {
    this.#waitingNote ??= setTimeout(() => void this.#queue.run(() => this.#writeNote()), 0);
  }

  /** Starts a new segment with everything known so far, and removes the ones before. */
  restart(): Promise<void> {
    return this.#queue.run(() => this.#restart().then(() => undefined));
  }

  async close(): Promise<void> {
    await this.#queue.run(async () => {
      await this.#writeNote();
      const writer = this.#writer;
      this.#writer = undefined;
      await writer?.sync().catch(() => undefined);
      await writer?.close().finally(() => writer.key.destroy());
    });
  }

  /** Writes the note that waits, if one does. */
  async #writeNote(): Promise<void> {
    if (this.#waitingNote === undefined) return;
    clearTimeout(this.#waitingNote);
    this.#waitingNote = undefined;
    const { head } = this.#options.journalState;
    await this.#append({ kind: 'head', head }, { isSynced: false }).catch(() => undefined);
  }

  async #append(record: JournalRecord, { isSynced }: { isSynced: boolean }): Promise<void> {
    const writer = await this.#openWriter();
    try {
      await writer.append([encode(record)]);
      if (isSynced) await writer.sync();
    } catch (error) {
      await this.#leave(writer);
      throw error;
    }
  }

  async #openWriter(): Promise<SegmentWriter> {
    const writer = this.#writer;
    return writer === undefined || writer.sizeBytes >= this.#restartAtBytes ? this.#restart() : writer;
  }

  async #restart(): Promise<SegmentWriter> {
    const { snapshot, segmentBytes, nextCounter } = this.#options;
    const next = await startSegment(this.#options, segmentName('journal', nextCounter()));
    try {
      await next.append(snapshot().map(encode));
      await next.sync();
    } catch (error) {
      // The new segment may be complete on disk and would then be read instead, so the old one gets no more records.
      this.#restartAtBytes = 0;
      await this.#leave(next);
      throw error;
    }
    if (this.#writer !== undefined) {
      await this.#leave(this.#writer);
    }
    this.#writer = next;
    this.#restartAtBytes = Math.max(segmentBytes, 2 * next.sizeBytes);
    await this.#removeReplaced();
    return next;
  }

  /** A segment is not written to after a failure: how much of it is on disk is unknown. */
  async #leave(writer: SegmentWriter): Promise<void> {
    this.#replaced.set(writer.segment, writer.sizeBytes + writer.keyFileBytes);
    if (this.#writer === writer) {
      this.#writer = undefined;
    }
    await writer.close().catch(() => undefined);
    writer.key.destroy();
  }

  async #removeReplaced(): Promise<void> {
    for (const segment of this.#replaced.keys()) {
      await this.#options.storage.remove(keyFile(segment));
      await this.#options.storage.remove(logFile(segment));
      this.#replaced.delete(segment);
    }
  }
}

function encode(record: JournalRecord): Uint8Array {
  return encodeText(JSON.stringify(record));
}
