import { StorageError } from '../../ports/storage.ts';
import { type FsyncPolicy, isGrave, type NewRecord } from '../event-store.ts';
import type { LocalHead } from '../journal/journal-record.ts';
import type { Ledger } from '../journal/journal-state.ts';
import type { Catalog } from './catalog.ts';
import { decodeRecord, encodeRecord, hashOfId, type RecordContent, rankOf } from './record.ts';
import { type Entry, entryOf, Segment } from './segment.ts';
import { FRAME_HEADER_BYTES, HEADER_BYTES, LOG_LIMIT_BYTES, TAG_BYTES } from './segment-format.ts';
import { keyFile, type Lane, logFile, segmentName } from './segment-name.ts';
import { openRecord, type Place } from './segment-reader.ts';
import { type SegmentPorts, type SegmentWriter, startSegment } from './segment-writer.ts';
import { decodeText, encodeText } from './text.ts';

export interface EventLogOptions extends SegmentPorts {
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly nextCounter: () => number;
  readonly segmentBytes: number;
  readonly fsync: FsyncPolicy;
  readonly nowIso: () => string;
}

interface Live {
  readonly writer: SegmentWriter;
  readonly segment: Segment;
}

interface Prepared {
  readonly record: NewRecord;
  readonly lane: Lane;
  readonly number: number;
  readonly plaintext: Uint8Array;
  readonly hash: string;
}

/** What a new segment takes beside its records: header and key file. */
const SEGMENT_OVERHEAD_BYTES = 512;

/** The segments of events: two lanes that are written at their ends, in one order of recording. */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #live = new Map<Lane, Live>();
  /** Segments in which a write failed. What they hold beyond their known size was never stored for anyone. */
  readonly #doubtful = new Set<Segment>();
  readonly #recentlyRead: { name: string; bytes: Uint8Array }[] = [];

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** Gives records their numbers and their places in the chain, without storing them. */
  prepare(records: readonly NewRecord[]): { prepared: Prepared[]; bytes: number } {
    const { keys, ledger, nowIso } = this.#options;
    const persistedAt = nowIso();
    let [head, bytes]: [LocalHead, number] = [ledger.head, 2 * SEGMENT_OVERHEAD_BYTES];
    const prepared = records.map((record) => {
      const number = head.number + 1;
      const link = head.hash === undefined ? {} : { previous_event_hash: head.hash };
      const text = encodeRecord({ number, ...record, persistedAt, ...link });
      const plaintext = encodeText(text);
      const hash = keys.sha256Hex(text);
      bytes += FRAME_HEADER_BYTES + plaintext.length + TAG_BYTES;
      head = { number, hash };
      return { record, lane: laneOf(record), number, plaintext, hash };
    });
    return { prepared, bytes };
  }

  /**
   * Stores prepared records, all or none: after a rejection none of them counts, and `trim` takes away what may be on
   * disk. They are written in the order of their numbers, so a process that dies leaves no hole.
   */
  async append(prepared: readonly Prepared[]): Promise<void> {
    const touched = new Set<Live>();
    const placed: { live: Live; prepared: Prepared; place: Place }[] = [];
    try {
      for (const run of runsByLane(prepared)) {
        const live = await this.#liveFor(run.lane, touched);
        touched.add(live);
        const places = await live.writer.append(run.items.map(({ plaintext }) => plaintext));
        run.items.forEach((item, index) => {
          placed.push({ live, prepared: item, place: places[index] as Place });
        });
      }
      if (this.#options.fsync === 'always') {
        await Promise.all([...touched].map(({ writer }) => writer.sync()));
      }
    } catch (error) {
      await Promise.all([...touched].map((live) => this.#doubt(live)));
      throw error;
    }
    for (const { live, prepared: item, place } of placed) {
      this.#commit(live.segment, item, place);
    }
    for (const live of touched) {
      live.segment.sizeBytes = live.writer.sizeBytes;
      if (this.#live.get(live.segment.lane) !== live) {
        await live.writer.close().catch(() => undefined);
      }
    }
  }

  /** Stops writing to a segment. */
  async retire(segment: Segment): Promise<void> {
    const live = this.#live.get(segment.lane);
    if (live?.segment === segment) {
      this.#live.delete(segment.lane);
      await live.writer.close();
    }
  }

  /** Takes away what failed writes may have left behind the known ends of segments. Repeats until it is done. */
  async trim(): Promise<void> {
    const { storage, catalog } = this.#options;
    for (const segment of this.#doubtful) {
      if (!catalog.segments.includes(segment)) {
        // Deleted since then, as a whole.
      } else if (segment.entries.length === 0) {
        await storage.remove(keyFile(segment.name));
        await storage.remove(logFile(segment.name));
        catalog.remove(segment);
      } else {
        const bytes = await storage.read(logFile(segment.name), LOG_LIMIT_BYTES);
        await storage.replace(logFile(segment.name), bytes.slice(0, segment.sizeBytes));
      }
      this.#doubtful.delete(segment);
    }
  }

  /** Reads one record; undefined when its segment has left the store or its bytes were damaged. */
  async read(segment: Segment, entry: Entry): Promise<{ content: RecordContent; text: string } | undefined> {
    if (segment.opener === undefined || entry.gone) {
      return undefined;
    }
    const bytes = await this.#bytesOf(segment, entry.offset + FRAME_HEADER_BYTES + entry.sealedBytes);
    if (bytes === undefined || entry.gone) {
      return undefined;
    }
    const plaintext = openRecord(segment.opener, bytes, entry);
    return plaintext && { content: decodeRecord(plaintext), text: decodeText(plaintext) };
  }

  /** Flushes and closes what is being written. */
  async close(): Promise<void> {
    for (const { writer } of this.#live.values()) {
      await writer.sync().catch(() => undefined);
      await writer.close().catch(() => undefined);
    }
    this.#live.clear();
    this.#recentlyRead.length = 0;
    for (const { opener } of this.#options.catalog.segments) {
      opener?.key.destroy();
    }
  }

  /** What this group has written to is closed by the group, once it is on disk. */
  async #liveFor(lane: Lane, touched: ReadonlySet<Live>): Promise<Live> {
    const { catalog, nextCounter, segmentBytes } = this.#options;
    const before = this.#live.get(lane);
    if (before !== undefined && before.writer.sizeBytes < segmentBytes) {
      return before;
    }
    this.#live.delete(lane);
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
    const live = { writer, segment };
    this.#live.set(lane, live);
    return live;
  }

  async #doubt({ segment, writer }: Live): Promise<void> {
    this.#doubtful.add(segment);
    if (this.#live.get(segment.lane)?.segment === segment) {
      this.#live.delete(segment.lane);
    }
    await writer.close().catch(() => undefined);
  }

  #commit(segment: Segment, { record, number, hash }: Prepared, place: Place): void {
    const { catalog, ledger } = this.#options;
    const { event } = record;
    const rootId = event.corrects_event_id;
    const root = rootId === undefined ? undefined : catalog.candidates(hashOfId(rootId))[0]?.entry;
    const [rank, idHash] = [rankOf(event), hashOfId(event.event_id)];
    segment.add(entryOf(place, { number, rank, idHash, root, outcome: undefined }));
    ledger.advanceHead({ number, hash });
  }

  /** Neighbours are mostly asked for together, so the segments read last are kept, one for each lane. */
  async #bytesOf({ name }: Segment, neededBytes: number): Promise<Uint8Array | undefined> {
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

function laneOf({ event }: NewRecord): Lane {
  return isGrave(event) ? 'grave' : 'ordinary';
}

function runsByLane(prepared: readonly Prepared[]): { lane: Lane; items: Prepared[] }[] {
  const runs: { lane: Lane; items: Prepared[] }[] = [];
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
