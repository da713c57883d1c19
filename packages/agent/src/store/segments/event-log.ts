import { decodeText, encodeText } from '../../encoding/bytes.ts';
import { StorageError } from '../../ports/storage.ts';
import { type FsyncPolicy, isHighSeverity, type NewRecord } from '../event-store.ts';
import type { LocalHead } from '../journal/journal-record.ts';
import type { JournalState } from '../journal/journal-state.ts';
import type { Catalog } from './catalog.ts';
import { decodeRecord, encodeRecord, hashId, type RecordContent, toRank } from './record.ts';
import { type Entry, Segment, toEntry } from './segment.ts';
import { FRAME_HEADER_BYTES, HEADER_BYTES, LOG_LIMIT_BYTES, TAG_BYTES } from './segment-format.ts';
import { keyFile, type Lane, logFile, segmentName } from './segment-name.ts';
import { type FramePosition, openRecord } from './segment-reader.ts';
import { type SegmentPorts, type SegmentWriter, startSegment } from './segment-writer.ts';

export interface EventLogOptions extends SegmentPorts {
  readonly catalog: Catalog;
  readonly journalState: JournalState;
  readonly nextCounter: () => number;
  readonly segmentBytes: number;
  readonly fsync: FsyncPolicy;
  readonly nowIso: () => string;
}

interface OpenSegment {
  readonly writer: SegmentWriter;
  readonly segment: Segment;
}

interface PreparedRecord {
  readonly record: NewRecord;
  readonly lane: Lane;
  readonly number: number;
  readonly plaintext: Uint8Array;
  readonly hash: string;
}

/** The size of a new segment's header and key file. */
const SEGMENT_OVERHEAD_BYTES = 512;

/** The segments of events: two append-only lanes with one order of recording. */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #openSegments = new Map<Lane, OpenSegment>();
  /** Segments in which a write failed. Bytes beyond their known size do not belong to a stored event. */
  readonly #uncertain = new Set<Segment>();
  readonly #recentlyRead: { name: string; bytes: Uint8Array }[] = [];

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** Assigns the records their numbers and hashes in the chain, without storing them. */
  prepare(records: readonly NewRecord[]): { prepared: PreparedRecord[]; bytes: number } {
    const { keys, journalState, nowIso } = this.#options;
    const persistedAt = nowIso();
    let [head, bytes]: [LocalHead, number] = [journalState.head, 2 * SEGMENT_OVERHEAD_BYTES];
    const prepared = records.map((record) => {
      const number = head.number + 1;
      const link = head.hash === undefined ? {} : { previous_event_hash: head.hash };
      const text = encodeRecord({ number, ...record, persistedAt, ...link });
      const plaintext = encodeText(text);
      const hash = keys.sha256Hex(text);
      bytes += FRAME_HEADER_BYTES + plaintext.length + TAG_BYTES;
      head = { number, hash };
      return { record, lane: toLane(record), number, plaintext, hash };
    });
    return { prepared, bytes };
  }

  /**
   * Stores prepared records, all or none: after a rejection none of them counts, and `trim` removes what may be on disk.
   * They are written in the order of their numbers, so that a crash does not leave a gap.
   */
  async append(prepared: readonly PreparedRecord[]): Promise<void> {
    const touched = new Set<OpenSegment>();
    const placed: { open: OpenSegment; prepared: PreparedRecord; position: FramePosition }[] = [];
    try {
      for (const run of runsByLane(prepared)) {
        const open = await this.#openSegment(run.lane, touched);
        touched.add(open);
        const positions = await open.writer.append(run.items.map(({ plaintext }) => plaintext));
        run.items.forEach((item, index) => {
          placed.push({ open, prepared: item, position: positions[index] as FramePosition });
        });
      }
      if (this.#options.fsync === 'always') {
        await Promise.all([...touched].map(({ writer }) => writer.sync()));
      }
    } catch (error) {
      await Promise.all([...touched].map((open) => this.#markUncertain(open)));
      throw error;
    }
    for (const { open, prepared: item, position } of placed) {
      this.#commit(open.segment, item, position);
    }
    for (const open of touched) {
      open.segment.sizeBytes = open.writer.sizeBytes;
      if (this.#openSegments.get(open.segment.lane) !== open) {
        await open.writer.close().catch(() => undefined);
      }
    }
  }

  /** Stops writing to a segment. */
  async retire(segment: Segment): Promise<void> {
    const open = this.#openSegments.get(segment.lane);
    if (open?.segment === segment) {
      this.#openSegments.delete(segment.lane);
      await open.writer.close();
    }
  }

  /** Truncates what failed writes may have left beyond the known ends of segments. Can be repeated after a failure. */
  async trim(): Promise<void> {
    const { storage, catalog } = this.#options;
    for (const segment of this.#uncertain) {
      if (!catalog.segments.includes(segment)) {
        // The segment was deleted since.
      } else if (segment.entries.length === 0) {
        await storage.remove(keyFile(segment.name));
        await storage.remove(logFile(segment.name));
        catalog.remove(segment);
      } else {
        const bytes = await storage.read(logFile(segment.name), LOG_LIMIT_BYTES);
        await storage.replace(logFile(segment.name), bytes.slice(0, segment.sizeBytes));
      }
      this.#uncertain.delete(segment);
    }
  }

  /** Reads one record; undefined when its segment was deleted or its bytes are damaged. */
  async read(segment: Segment, entry: Entry): Promise<{ content: RecordContent; text: string } | undefined> {
    if (segment.opener === undefined || entry.gone) {
      return undefined;
    }
    const bytes = await this.#readSegment(segment, entry.offset + FRAME_HEADER_BYTES + entry.sealedBytes);
    if (bytes === undefined || entry.gone) {
      return undefined;
    }
    const plaintext = await openRecord(segment.opener, bytes, entry);
    if (plaintext === undefined) return undefined;
    const text = decodeText(plaintext);
    return { content: decodeRecord(text), text };
  }

  /** Flushes and closes the open segments, and destroys all keys. */
  async close(): Promise<void> {
    for (const { writer } of this.#openSegments.values()) {
      await writer.sync().catch(() => undefined);
      await writer.close().catch(() => undefined);
    }
    this.#openSegments.clear();
    this.#recentlyRead.length = 0;
    for (const { opener } of this.#options.catalog.segments) {
      opener?.key.destroy();
    }
  }

  /** Returns the segment to write to. Segments in `touched` are closed by the append, after their records are on disk. */
  async #openSegment(lane: Lane, touched: ReadonlySet<OpenSegment>): Promise<OpenSegment> {
    const { catalog, nextCounter, segmentBytes } = this.#options;
    const before = this.#openSegments.get(lane);
    if (before !== undefined && before.writer.sizeBytes < segmentBytes) {
      return before;
    }
    this.#openSegments.delete(lane);
    if (before !== undefined && !touched.has(before)) {
      await before.writer.close();
    }
    const writer = await startSegment(this.#options, segmentName(lane, nextCounter()));
    const segment = new Segment({
      name: writer.segment,
      lane,
      opener: writer,
      sizeBytes: HEADER_BYTES,
      keyFileBytes: writer.keyFileBytes,
    });
    catalog.add(segment);
    const open = { writer, segment };
    this.#openSegments.set(lane, open);
    return open;
  }

  async #markUncertain({ segment, writer }: OpenSegment): Promise<void> {
    this.#uncertain.add(segment);
    if (this.#openSegments.get(segment.lane)?.segment === segment) {
      this.#openSegments.delete(segment.lane);
    }
    await writer.close().catch(() => undefined);
  }

  #commit(segment: Segment, { record, number, hash }: PreparedRecord, position: FramePosition): void {
    const { catalog, journalState } = this.#options;
    const { event } = record;
    const rootId = event.corrects_event_id;
    const root = rootId === undefined ? undefined : catalog.candidates(hashId(rootId))[0]?.entry;
    const [rank, idHash] = [toRank(event), hashId(event.event_id)];
    segment.add(toEntry(position, { number, rank, idHash, root, settlement: undefined }));
    journalState.advanceHead({ number, hash });
  }

  /** Reads the segment's bytes. Neighbouring records are mostly read together, so the last two segments are cached. */
  async #readSegment({ name }: Segment, neededBytes: number): Promise<Uint8Array | undefined> {
    const kept = this.#recentlyRead.find((read) => read.name === name);
    if (kept !== undefined && kept.bytes.length >= neededBytes) {
      return kept.bytes;
    }
    try {
      const bytes = await this.#options.storage.read(logFile(name), LOG_LIMIT_BYTES);
      const others = this.#recentlyRead.filter((read) => read.name !== name).slice(-1);
      this.#recentlyRead.splice(0, this.#recentlyRead.length, ...others, { name, bytes });
      return bytes;
    } catch (error) {
      if (error instanceof StorageError && error.code === 'missing') {
        return undefined;
      }
      throw error;
    }
  }
}

function toLane({ event }: NewRecord): Lane {
  return isHighSeverity(event) ? 'priority' : 'ordinary';
}

function runsByLane(prepared: readonly PreparedRecord[]): { lane: Lane; items: PreparedRecord[] }[] {
  const runs: { lane: Lane; items: PreparedRecord[] }[] = [];
  for (const item of prepared) {
    const run = runs.at(-1);
    if (run?.lane === item.lane) {
      run.items.push(item);
    } else {
      runs.push({ lane: item.lane, items: [item] });
    }
  }
  return runs;
}
