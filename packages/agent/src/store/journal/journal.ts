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
 * Records what became of events. A write is durable when it resolves, under every fsync policy: its content cannot be
 * recovered from anywhere else.
 *
 * One journal segment exists at a time. A new one restates the one before, which is removed only when the new one is
 * complete and on disk: at any moment one of the two can be read.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #replaced: Map<string, number>;
  #writer: SegmentWriter | undefined;
  #restartAtBytes = 0;

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
  async write(record: JournalRecord): Promise<void> {
    if (this.#writer === undefined || this.#writer.sizeBytes >= this.#restartAtBytes) {
      await this.restart();
    }
    const writer = this.#writer;
    if (writer === undefined) {
      return;
    }
    try {
      await writer.append([encode(record)]);
      await writer.sync();
    } catch (error) {
      await this.#leave(writer);
      throw error;
    }
    this.#options.journalState.apply(record);
  }

  /** Starts a new segment with everything known so far, and removes the ones before. */
  async restart(): Promise<void> {
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
  }

  async close(): Promise<void> {
    await this.#writer?.close();
    this.#writer?.key.destroy();
    this.#writer = undefined;
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
