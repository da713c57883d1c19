import { MAX_ENVELOPE_BYTES } from '@tps/detection/indicator-bundle';
import type { FetchedBundle } from '../ports/indicators.ts';
import type { TransportOutcome } from '../ports/transport.ts';
import { type SendRequest, toOutcome } from './http-outcome.ts';

/** The envelope around the payload. */
const ENVELOPE_BYTES = 64 * 1024;
const MAX_KEYS = 16;
const MAX_KEY_LENGTH = 200;

/** Fetches the bundle, unless it still has the tag. */
export async function fetchBundle(
  send: SendRequest,
  etag: string | undefined,
): Promise<TransportOutcome<FetchedBundle>> {
  const response = await send({
    path: 'indicators/bundle',
    headers: etag === undefined ? {} : { 'if-none-match': etag },
    responseLimitBytes: MAX_ENVELOPE_BYTES + ENVELOPE_BYTES,
  });
  return toOutcome<FetchedBundle>(response, ({ status, headers, content }) => {
    // 304 is valid only in answer to a tag.
    if (status === 304) return etag === undefined ? undefined : { kind: 'unchanged' };
    if (typeof content !== 'object' || content === null) return undefined;
    return { kind: 'changed', envelope: content, etag: headers.get('etag') ?? undefined };
  });
}

/** Fetches the keys that bundles are signed with. */
export async function fetchKeys(send: SendRequest): Promise<TransportOutcome<readonly string[]>> {
  const response = await send({ path: 'indicators/keys' });
  return toOutcome<readonly string[]>(response, ({ content }) => {
    const { keys } = (content ?? {}) as { keys?: unknown };
    if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) return undefined;
    const texts = keys
      .map((key: { public_key_b64?: unknown } | null) => key?.public_key_b64)
      .filter((text): text is string => typeof text === 'string' && text.length <= MAX_KEY_LENGTH);
    return texts.length === keys.length ? texts : undefined;
  });
}
