import { isVerifyingKey, MAX_ENVELOPE_BYTES } from '@tps/detection/indicator-bundle';
import type { AgentStorage } from '../ports/storage.ts';

const STATE = 'state.json';
const BUNDLE = 'bundle.json';
const STATE_LIMIT_BYTES = 64 * 1024;
const BUNDLE_LIMIT_BYTES = MAX_ENVELOPE_BYTES + STATE_LIMIT_BYTES;
const MAX_TEXT_LENGTH = 200;
const MAX_KEYS = 16;

/** What is known about bundles, stored apart from the bundle so that it survives a damaged one. */
export interface CachedState {
  /** The keys trusted at first use; undefined before that. */
  readonly keys: readonly string[] | undefined;
  /** The highest version ever accepted. */
  readonly version: number;
  readonly etag: string | undefined;
  readonly confirmedAt: string | undefined;
}

const EMPTY: CachedState = { keys: undefined, version: 0, etag: undefined, confirmedAt: undefined };

/** Reads the state. An unreadable state counts as none. */
export async function readState(storage: AgentStorage): Promise<CachedState> {
  const { keys, version, etag, confirmedAt } = objectOf(await readJson(storage, STATE, STATE_LIMIT_BYTES));
  if (!Number.isSafeInteger(version) || (version as number) < 0) return EMPTY;
  const areKeys = Array.isArray(keys) && keys.length <= MAX_KEYS && areVerifyingKeys(keys);
  return {
    keys: areKeys ? keys : undefined,
    version: version as number,
    etag: isText(etag) ? etag : undefined,
    confirmedAt: isText(confirmedAt) ? confirmedAt : undefined,
  };
}

export async function writeState(storage: AgentStorage, state: CachedState): Promise<void> {
  await storage.replace(STATE, new TextEncoder().encode(JSON.stringify(state)));
}

/** Reads the envelope as received. Undefined when it is missing or not JSON. */
export function readEnvelope(storage: AgentStorage): Promise<unknown> {
  return readJson(storage, BUNDLE, BUNDLE_LIMIT_BYTES);
}

export async function writeEnvelope(storage: AgentStorage, envelope: unknown): Promise<void> {
  await storage.replace(BUNDLE, new TextEncoder().encode(JSON.stringify(envelope)));
}

/** Whether all have the form of an Ed25519 public key: SubjectPublicKeyInfo in DER, base64. */
export function areVerifyingKeys(keys: readonly unknown[]): boolean {
  return keys.every((key) => isText(key) && isVerifyingKey(key));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH;
}

async function readJson(storage: AgentStorage, name: string, limitBytes: number): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await storage.read(name, limitBytes)));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
