import { isOnThisMachine } from '../connection/connection.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** The limit of the importer. */
export const MAX_FEED_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;

/**
 * Fetches a feed over https, also after redirects; over plain http from this machine only. Sends no credential. Messages
 * name the address without its query, which may contain a credential.
 *
 * @throws CommandError when it is unavailable, too large or takes too long
 */
export async function fetchFeed(address: string, signal?: AbortSignal): Promise<Buffer> {
  const first = toFeedUrl(address);
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])];
  try {
    const response = await follow(first, AbortSignal.any(signals));
    if (!response.ok) throw unavailable(`${nameOf(first)} responded ${response.status}.`);
    return await readBounded(response);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    throw unavailable(
      isLate
        ? `${nameOf(first)} did not respond within ${TIMEOUT_MS / 1000} seconds.`
        : `Cannot fetch ${nameOf(first)}.`,
      cause,
    );
  }
}

async function follow(first: URL, signal: AbortSignal): Promise<Response> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(url, { redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const next = toFeedUrl(new URL(location, url).href);
    if (url.protocol === 'https:' && next.protocol !== 'https:') {
      throw usageError(`${nameOf(first)} redirects from https to http.`);
    }
    url = next;
  }
  throw unavailable(`${nameOf(first)} redirects more than ${MAX_REDIRECTS} times.`);
}

/** Parses the address of a feed. @throws CommandError when it is not valid or not allowed */
export function toFeedUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOnThisMachine(url));
  if (!url || !isAllowed) throw usageError('The address of a feed must be an https address.');
  if (url.username !== '' || url.password !== '') {
    throw usageError('The address of a feed must not contain a user or a password.');
  }
  return url;
}

function nameOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_FEED_BYTES) throw unavailable(`The feed is larger than ${MAX_FEED_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unavailable(message: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'feed_unavailable', exitCode: EXIT.unavailable, cause });
}
