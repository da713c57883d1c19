import { concatBytes } from '../../encoding/bytes.ts';
import type { DataKey, DeviceKeys } from '../../ports/keys.ts';
import type { AgentStorage, AppendFile } from '../../ports/storage.ts';
import {
  encodeFrame,
  encodeHeader,
  encodeKeyFile,
  FRAME_HEADER_BYTES,
  HEADER_BYTES,
  MAX_PLAINTEXT_BYTES,
  SEGMENT_ID_BYTES,
  toAdditionalData,
  toNonce,
} from './segment-format.ts';
import { keyFile, logFile } from './segment-name.ts';
import type { FramePosition, SegmentKey } from './segment-reader.ts';

export interface SegmentWriter extends SegmentKey {
  readonly keyFileBytes: number;
  /** Length of the file, including everything passed to `append`. */
  readonly sizeBytes: number;
  /** Seals records and appends them with one write. After a failure only `close` may be called. */
  append(plaintexts: readonly Uint8Array[]): Promise<FramePosition[]>;
  sync(): Promise<void>;
  /** Releases the file, not the key. Idempotent. */
  close(): Promise<void>;
}

export interface SegmentPorts {
  readonly storage: AgentStorage;
  readonly keys: DeviceKeys;
}

/** Starts a segment with a new data key. The key is stored before the first record that needs it. */
export async function startSegment(ports: SegmentPorts, segment: string): Promise<SegmentWriter> {
  const { storage, keys } = ports;
  const { dataKey, wrapped } = await keys.createDataKey();
  const id = keys.randomBytes(SEGMENT_ID_BYTES);
  const sidecar = encodeKeyFile({ id, wrapped });
  try {
    await storage.replace(keyFile(segment), sidecar);
    const file = await storage.create(logFile(segment));
    return createWriter({ segment, id, key: dataKey, keyFileBytes: sidecar.length, file });
  } catch (error) {
    dataKey.destroy();
    // If this fails too, opening the store removes the file.
    await storage.remove(keyFile(segment)).catch(() => undefined);
    throw error;
  }
}

function createWriter(parts: {
  segment: string;
  id: Uint8Array;
  key: DataKey;
  keyFileBytes: number;
  file: AppendFile;
}): SegmentWriter {
  const { segment, id, key, keyFileBytes, file } = parts;
  let [sizeBytes, nextIndex, isOpen] = [0, 0, true];

  /** The index advances before anything can fail, so that a failure never leads to a reused nonce. */
  async function sealFrame(plaintext: Uint8Array): Promise<Uint8Array> {
    if (plaintext.length > MAX_PLAINTEXT_BYTES) {
      throw new TypeError(`A record must have at most ${MAX_PLAINTEXT_BYTES} bytes.`);
    }
    const index = nextIndex;
    nextIndex += 1;
    const content = await key.seal(toNonce(index), plaintext, toAdditionalData(segment, id, index));
    return encodeFrame(index, content);
  }

  return {
    segment,
    id,
    key,
    keyFileBytes,
    get sizeBytes() {
      return Math.max(sizeBytes, HEADER_BYTES);
    },
    async append(plaintexts) {
      const header = sizeBytes === 0 ? [encodeHeader(id)] : [];
      const firstIndex = nextIndex;
      const frames = await Promise.all(plaintexts.map(sealFrame));
      let offset = Math.max(sizeBytes, HEADER_BYTES);
      const positions = frames.map(({ length }, at) => {
        const position = { index: firstIndex + at, offset, sealedBytes: length - FRAME_HEADER_BYTES };
        offset += length;
        return position;
      });
      sizeBytes = offset;
      await file.append(concatBytes([...header, ...frames]));
      return positions;
    },
    sync: () => file.sync(),
    async close() {
      if (isOpen) {
        isOpen = false;
        await file.close();
      }
    },
  };
}
