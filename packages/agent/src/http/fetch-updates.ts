import type { FetchedUpdates, TransportOutcome } from '../ports/transport.ts';
import { type SendRequest, toOutcome } from './http-outcome.ts';

const MAX_TAG_LENGTH = 200;

/** Fetches the tags of what the device follows, unless they still have the tag of the last answer. */
export async function fetchUpdates(
  send: SendRequest,
  { deviceId, etag }: { deviceId: string; etag: string | undefined },
): Promise<TransportOutcome<FetchedUpdates>> {
  const response = await send({
    path: `devices/${encodeURIComponent(deviceId)}/updates`,
    headers: etag === undefined ? {} : { 'if-none-match': etag },
  });
  return toOutcome<FetchedUpdates>(response, ({ status, headers, content }) => {
    // 304 is valid only in answer to a tag.
    if (status === 304) return etag === undefined ? undefined : { kind: 'unchanged' };
    const { policies, indicators } = Object(content) as Record<string, unknown>;
    if (!isTag(policies) || !isTag(indicators)) return undefined;
    const tags = { policies: policies ?? undefined, indicators: indicators ?? undefined };
    return { kind: 'changed', tags, etag: headers.get('etag') ?? undefined };
  });
}

function isTag(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= MAX_TAG_LENGTH);
}
