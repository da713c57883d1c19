import { KeyError } from '../../ports/keys.ts';
import { type AgentStorage, StorageError } from '../../ports/storage.ts';
import { type OutboxContent, parseOutboxName, readOutbox } from '../outbox/outbox.ts';
import { decodeKeyFile, KEY_FILE_LIMIT_BYTES, LOG_LIMIT_BYTES } from '../segments/segment-format.ts';
import { keyFile, logFile, type ParsedFileName, parseFileName } from '../segments/segment-name.ts';
import { readSegment, type SegmentContent, type SegmentKey } from '../segments/segment-reader.ts';
import type { SegmentPorts } from '../segments/segment-writer.ts';

/** A segment's files as found on disk. */
export interface FoundSegment extends Pick<ParsedFileName, 'segment' | 'lane' | 'counter'> {
  readonly logBytes: number | undefined;
  readonly keyFileBytes: number | undefined;
  /** Undefined when the key file is missing or damaged. */
  readonly opener: SegmentKey | undefined;
}

export interface FoundOutbox {
  readonly number: number;
  /** Undefined when the file is damaged. */
  readonly read: { readonly content: OutboxContent; readonly sizeBytes: number } | undefined;
}

export interface FoundFiles {
  /** By counter, ascending. */
  readonly segments: readonly FoundSegment[];
  /** By number, ascending. */
  readonly outboxes: readonly FoundOutbox[];
  /** Size of the other files in the directory, such as cached policies. */
  readonly otherBytes: number;
}

/**
 * Finds the store's files and opens their keys. Changes nothing.
 * @throws KeyError `unavailable` while the key store is locked; its last error when it can open none of the keys
 */
export async function findFiles(ports: SegmentPorts): Promise<FoundFiles> {
  const parts = new Map<string, { parsed: ParsedFileName; log?: number; key?: number }>();
  const outboxNumbers: number[] = [];
  let otherBytes = 0;
  for (const { name, sizeBytes } of await ports.storage.list()) {
    const parsed = parseFileName(name);
    const outbox = parseOutboxName(name);
    if (parsed !== undefined) {
      parts.set(parsed.segment, { parsed, ...parts.get(parsed.segment), [parsed.part]: sizeBytes });
    } else if (outbox !== undefined) {
      outboxNumbers.push(outbox);
    } else {
      otherBytes += sizeBytes;
    }
  }
  const trial = new KeyTrial();
  const segments: FoundSegment[] = [];
  for (const { parsed, log, key } of parts.values()) {
    const opener = key === undefined ? undefined : await trial.run(() => openKeyFile(ports, parsed.segment));
    segments.push({ ...parsed, logBytes: log, keyFileBytes: key, opener });
  }
  const outboxes: FoundOutbox[] = [];
  for (const number of outboxNumbers.sort((one, other) => one - other)) {
    outboxes.push({ number, read: await trial.run(() => readOutbox(ports, number)) });
  }
  trial.assertAnyOpened();
  segments.sort((one, other) => one.counter - other.counter);
  return { segments, outboxes, otherBytes };
}

/** Distinguishes single foreign or damaged files from wrong keys, which open no file: those must not change the store. */
class KeyTrial {
  #opened = 0;
  #refused: KeyError | undefined;

  async run<Result>(open: () => Promise<Result | undefined>): Promise<Result | undefined> {
    try {
      const result = await open();
      this.#opened += result === undefined ? 0 : 1;
      return result;
    } catch (error) {
      if (error instanceof StorageError && (error.code === 'too_large' || error.code === 'missing')) {
        return undefined;
      }
      if (!(error instanceof KeyError) || error.code === 'unavailable') {
        throw error;
      }
      this.#refused = error;
      return undefined;
    }
  }

  assertAnyOpened(): void {
    if (this.#opened === 0 && this.#refused !== undefined) {
      throw this.#refused;
    }
  }
}

async function openKeyFile({ storage, keys }: SegmentPorts, segment: string) {
  const file = decodeKeyFile(await storage.read(keyFile(segment), KEY_FILE_LIMIT_BYTES));
  return file && { segment, id: file.id, key: await keys.unwrapDataKey(file.wrapped) };
}

/** Reads a segment's log. A log that cannot be read at all counts as one damaged record. */
export async function readLog(
  storage: AgentStorage,
  found: FoundSegment,
  limitBytes = LOG_LIMIT_BYTES,
): Promise<SegmentContent> {
  if (found.logBytes === undefined) {
    return { records: [], damaged: 0 };
  }
  if (found.opener === undefined || found.logBytes > limitBytes) {
    return { records: [], damaged: 1 };
  }
  return readSegment(found.opener, await storage.read(logFile(found.segment), limitBytes));
}
