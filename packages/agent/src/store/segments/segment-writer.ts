import { concatBytes } from '../../encoding/bytes.ts';
import type { DataKey, DeviceKeys } from '../../ports/keys.ts';
import type { AgentStorage, AppendFile } from '../../ports/storage.ts';
import {
  additionalDataOf,
  encodeFrame,
  encodeHeader,
  encodeKeyFile,
  FRAME_HEADER_BYTES,
  HEADER_BYTES,
  MAX_PLAINTEXT_BYTES,
  nonceOf,
  SEGMENT_ID_BYTES,
} from './segment-format.ts';
import { keyFile, logFile } from './segment-name.ts';
import type { Place, SegmentKey } from './segment-reader.ts';

export interface SegmentWriter extends SegmentKey {
  readonly keyFileBytes: number;
  /** Length of the file with everything that was handed to `append`. */
  readonly sizeBytes: number;
  /** Seals and adds records with one write. After a failure the writer is not to be used again, but for `close`. */
  append(plaintexts: readonly Uint8Array[]): Promise<Place[]>;
  sync(): Promise<void>;
  /** Releases the file, not the key. A second time does nothing. */
  close(): Promise<void>;
}

export interface SegmentPorts {
  readonly storage: AgentStorage;
  readonly keys: DeviceKeys;
}

/** Starts a segment with a fresh data key. The key is stored before the first record that needs it. */
export async function startSegment(ports: SegmentPorts, segment: string): Promise<SegmentWriter> {
  const { storage, keys } = ports;
  const { dataKey, wrapped } = await keys.createDataKey();
  const id = keys.randomBytes(SEGMENT_ID_BYTES);
  const sidecar = encodeKeyFile({ id, wrapped });
  try {
    await storage.replace(keyFile(segment), sidecar);
    const file = await storage.create(logFile(segment));
    return writerOn({ segment, id, key: dataKey, keyFileBytes: sidecar.length, file });
  } catch (error) {
    dataKey.destroy();
    // What is left of it is removed when the store is opened again; here it is only tried.
    await storage.remove(keyFile(segment)).catch(() => undefined);
    throw error;
  }
}

function writerOn(begun: {
  segment: string;
  id: Uint8Array;
  key: DataKey;
  keyFileBytes: number;
  file: AppendFile;
}): SegmentWriter {
  const { segment, id, key, keyFileBytes, file } = begun;
  let [sizeBytes, nextIndex, isOpen] = [0, 0, true];

  /** The index moves on before anything can fail: no failure leads to a second use of a nonce. */
  function sealed(plaintext: Uint8Array): Uint8Array {
    if (plaintext.length > MAX_PLAINTEXT_BYTES) {
      throw new TypeError('A record of that size could not be read again');
    }
    const index = nextIndex;
    nextIndex += 1;
    const content = key.seal(nonceOf(index), plaintext, additionalDataOf(segment, id, index));
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
      const frames = sizeBytes === 0 ? [encodeHeader(id)] : [];
      let offset = Math.max(sizeBytes, HEADER_BYTES);
      const places = plaintexts.map((plaintext) => {
        const frame = sealed(plaintext);
        frames.push(frame);
        const place = { index: nextIndex - 1, offset, sealedBytes: frame.length - FRAME_HEADER_BYTES };
        offset += frame.length;
        return place;
      });
      sizeBytes = offset;
      await file.append(concatBytes(frames));
      return places;
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
