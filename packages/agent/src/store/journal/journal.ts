import { keyFile, logFile, segmentName } from '../segments/segment-name.ts';
import { type SegmentPorts, type SegmentWriter, startSegment } from '../segments/segment-writer.ts';
import { encodeText } from '../segments/text.ts';
import type { JournalRecord } from './journal-record.ts';
import type { Ledger } from './journal-state.ts';

export interface JournalOptions extends SegmentPorts {
  readonly ledger: Ledger;
  readonly nextCounter: () => number;
  /** Restates everything that a new journal segment has to begin with. */
  readonly snapshot: () => JournalRecord[];
  readonly segmentBytes: number;
  /** Journal segments that are there, with their sizes. The next one replaces them. */
  readonly before: ReadonlyMap<string, number>;
}

/**
 * Writes what became of events. Always durable when it resolves, whatever the fsync policy says: what it holds cannot
 * be found out again.
 *
 * There is one journal segment at a time. A new one restates the one before, and only when it is complete and on disk
 * the one before is removed: at any moment one of the two can be read.
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

  /** Writes a record, and applies it to the ledger. After a rejection it has no effect in this process. */
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
    this.#options.ledger.apply(record);
  }

  /** Begins a new segment with all that is known, and removes the ones before. */
  async restart(): Promise<void> {
    const { snapshot, segmentBytes, nextCounter } = this.#options;
    const next = await startSegment(this.#options, segmentName('journal', nextCounter()));
    try {
      await next.append(snapshot().map(encode));
      await next.sync();
    } catch (error) {
      // It may be whole on disk, and would be read instead of the one before: nothing more is written there.
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

  /** Nothing is written to a segment after a failure: how much of it is on disk is unknown. */
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
