import { deflateSync } from 'fflate';
import { sha256 } from '#digest';
import { inflateRaw } from '#inflate';
import { DOCUMENT_FEATURES } from '../features/text/document-features.ts';
import { ModelDamagedError } from './model-damaged-error.ts';
import type { ModelLicence, Models, Thresholds } from './models.ts';
import { PayloadReader } from './payload-reader.ts';
import { PayloadWriter } from './payload-writer.ts';
import { readCalibratedModel, writeCalibratedModel } from './stored-model.ts';

/*
 * A model file: "TPSM", the version of this format (1 byte), the length of the payload (4 bytes,
 * little-endian), the first 16 bytes of the payload's SHA-256, the deflated payload.
 */
const MAGIC = 'TPSM';
/**
 * Also increased whenever features change, and cues are features: weights that were learned for other features
 * would load and score wrongly.
 */
const FORMAT = 3;
const DIGEST_AT = 9;
const DIGEST_BYTES = 16;
const PAYLOAD_AT = DIGEST_AT + DIGEST_BYTES;
/** Two models of 2^18 buckets take half a mebibyte. */
const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;
const LICENCES: readonly ModelLicence[] = ['redistributable', 'any'];

/** The stored part: the version is computed from it. */
export type StoredModels = Omit<Models, 'version'> & {
  /** The newest month in the data, `2026-05`, or another short name. The version starts with it. */
  readonly name: string;
};

/** Encodes models as a file. The same models give the same bytes. */
export function encodeModels({ name, licence, url, text, thresholds, urlCutoffs }: StoredModels): Uint8Array {
  const writer = new PayloadWriter();
  writer.text(name);
  writer.text(licence);
  writer.text(JSON.stringify(urlCutoffs));
  for (const { warn, block } of [thresholds.url, thresholds.text]) {
    writer.number(warn);
    writer.number(block);
  }
  writeCalibratedModel(writer, url);
  writeCalibratedModel(writer, text);
  const payload = writer.toBytes();
  const deflated = deflateSync(payload, { level: 9 });
  const file = new Uint8Array(PAYLOAD_AT + deflated.length);
  file.set(new TextEncoder().encode(MAGIC));
  file[MAGIC.length] = FORMAT;
  new DataView(file.buffer).setUint32(5, payload.length, true);
  file.set(digest(payload), DIGEST_AT);
  file.set(deflated, PAYLOAD_AT);
  return file;
}

/**
 * Reads models from the bytes of a file.
 *
 * @throws ModelDamagedError for another or incomplete file, an unknown format or another number of dense features
 */
export function loadModels(bytes: Uint8Array): Models {
  const payload = openPayload(bytes);
  const reader = new PayloadReader(payload);
  const name = reader.text();
  const licence = reader.text();
  const urlCutoffs = readCutoffs(reader);
  const url = readThresholds(reader);
  const text = readThresholds(reader);
  const models = {
    version: `${name}-${toHex(digest(payload).subarray(0, 4))}`,
    licence: LICENCES.find((known) => known === licence) ?? unknownLicence(),
    urlCutoffs,
    thresholds: { url, text },
    url: readCalibratedModel(reader, 0),
    text: readCalibratedModel(reader, DOCUMENT_FEATURES),
  };
  reader.end();
  return models;
}

function openPayload(bytes: Uint8Array): Uint8Array {
  if (bytes.length < PAYLOAD_AT || new TextDecoder().decode(bytes.subarray(0, 4)) !== MAGIC) {
    throw new ModelDamagedError('it is not a model file');
  }
  if (bytes[MAGIC.length] !== FORMAT) {
    throw new ModelDamagedError(`it is of format ${bytes[MAGIC.length]}, but this version reads ${FORMAT}`);
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(5, true);
  if (length > MAX_PAYLOAD_BYTES) throw new ModelDamagedError('its stated size is too large');
  const payload = inflate(bytes.subarray(PAYLOAD_AT), length);
  if (payload.length !== length) throw new ModelDamagedError('it ends too early');
  const expected = bytes.subarray(DIGEST_AT, PAYLOAD_AT);
  if (digest(payload).some((byte, at) => byte !== expected[at])) {
    throw new ModelDamagedError('its checksum does not match');
  }
  return payload;
}

function inflate(deflated: Uint8Array, length: number): Uint8Array {
  try {
    // On Node in native code: 7 ms instead of 35 ms at the start of each process.
    return inflateRaw(deflated, length);
  } catch {
    throw new ModelDamagedError('it cannot be unpacked');
  }
}

function readThresholds(reader: PayloadReader): Thresholds {
  return { warn: reader.number(), block: reader.number() };
}

function readCutoffs(reader: PayloadReader): Record<string, string> {
  const cutoffs: unknown = JSON.parse(reader.text());
  if (typeof cutoffs !== 'object' || cutoffs === null) throw new ModelDamagedError('its cutoffs are invalid');
  return Object.fromEntries(Object.entries(cutoffs).map(([source, month]) => [source, String(month)]));
}

function unknownLicence(): never {
  throw new ModelDamagedError('it names an unknown licence');
}

function digest(payload: Uint8Array): Uint8Array {
  return sha256(payload).subarray(0, DIGEST_BYTES);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
