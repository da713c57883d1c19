import { MAX_ENVELOPE_BYTES } from '@tps/detection/indicators';
import type { FetchedBundle } from '../../ports/indicators.ts';
import type { Outcome } from '../../ports/transport.ts';
import { outcomeOf } from './http-outcome.ts';
import type { JsonRequest, JsonResponse } from './json-exchange.ts';

/** What stands around the payload. */
const ENVELOPE_BYTES = 64 * 1024;
const MAX_KEYS = 16;
const MAX_KEY_LENGTH = 200;

type Get = (request: JsonRequest) => Promise<JsonResponse | string>;

/** Reads the bundle, unless it is the one that the tag names. */
export async function fetchBundle(get: Get, etag: string | undefined): Promise<Outcome<FetchedBundle>> {
  const response = await get({
    path: 'indicators/bundle',
    headers: etag === undefined ? {} : { 'if-none-match': etag },
    responseLimitBytes: MAX_ENVELOPE_BYTES + ENVELOPE_BYTES,
  });
  if (typeof response === 'string') return { kind: 'unreachable', message: response };
  return outcomeOf<FetchedBundle>(response, (content) => {
    // Only who named a tag can be told that nothing has changed.
    if (response.status === 304) return etag === undefined ? undefined : { kind: 'unchanged' };
    if (typeof content !== 'object' || content === null) return undefined;
    return { kind: 'changed', envelope: content, etag: response.headers.get('etag') ?? undefined };
  });
}

/** Reads the keys that bundles are signed with. */
export async function fetchKeys(get: Get): Promise<Outcome<readonly string[]>> {
  const response = await get({ path: 'indicators/keys' });
  if (typeof response === 'string') return { kind: 'unreachable', message: response };
  return outcomeOf<readonly string[]>(response, (content) => {
    const { keys } = (content ?? {}) as { keys?: unknown };
    if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) return undefined;
    const texts = keys
      .map((key: { public_key_b64?: unknown } | null) => key?.public_key_b64)
      .filter((text): text is string => typeof text === 'string' && text.length <= MAX_KEY_LENGTH);
    return texts.length === keys.length ? texts : undefined;
  });
}
