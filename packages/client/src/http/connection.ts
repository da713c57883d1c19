import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import type { paths } from '../generated/api.ts';
import { toBaseUrl } from './base-url.ts';
import type { Credential } from './credential.ts';
import { warnOfDeprecation } from './deprecation.ts';
import { type Fetch, NOT_MODIFIED, type OpenAnswer } from './exchange.ts';
import type { RetryOn, RetryRules } from './retry.ts';
import { openStream, type SendSettings, send } from './send.ts';

/** The service's address, the credential, and the rules for calls. */
export interface ClientOptions {
  /** `https://…`, with or without a trailing slash. http for this machine only. */
  readonly baseUrl: string;
  /** Sent as a bearer token. Without it, only public operations can be called. */
  readonly credential?: Credential | undefined;
  /** Time limit of each attempt, up to the last byte of the answer (default 30,000). */
  readonly timeoutMs?: number;
  readonly retry?: RetryRules;
  /** Aborts all calls of this client. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum size of an answer (default 128 MiB, which fits the longest page of the largest events). */
  readonly responseLimitBytes?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  /** Allows http to other machines. The credential can then be read in transit. */
  readonly allowInsecure?: boolean;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each attempt (default: the client's). */
  readonly timeoutMs?: number | undefined;
}

/** Options of a call whose repetition the service recognises by a key. */
export interface KeyedOptions extends CallOptions {
  /** Default: random for each call. Pass your own to repeat a call after a restart; it is valid for 24 hours. */
  readonly idempotencyKey?: string | undefined;
}

/** What the resources use to send requests. */
export interface Connection {
  readonly api: FetchClient<paths>;
  readonly retry: RetryRules;
  readonly signal: AbortSignal | undefined;
  /** Returns the init for a request of `api` that applies credential, timeouts and retries. */
  call(
    options: CallOptions,
    retryOn: RetryOn,
    isPublic?: boolean,
  ): { fetch: (request: Request) => Promise<Response> };
  /** Sends a request of `api` once, and returns its answer when it begins. */
  open(
    options: CallOptions,
    request: (init: { fetch: (request: Request) => Promise<Response> }) => Promise<unknown>,
  ): Promise<OpenAnswer>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RESPONSE_LIMIT_BYTES = 128 * 1_048_576;

/** @throws TypeError when the base URL is invalid or a credential must not be sent there */
export function createConnection(options: ClientOptions): Connection {
  const { retry = {}, signal } = options;
  const settings: SendSettings = {
    credential: options.credential,
    // Not passed as a value: a browser's fetch throws when it is called as a method of another object.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    retry,
    responseLimitBytes: options.responseLimitBytes ?? DEFAULT_RESPONSE_LIMIT_BYTES,
  };
  const api = createFetchClient<paths>({
    baseUrl: toBaseUrl(options.baseUrl, options),
    headers: { accept: 'application/json' },
    pathSerializer: toPath,
  });
  api.use(warnOfDeprecation());
  const limitsOf = (call: CallOptions) => ({
    timeoutMs: call.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    signals: definedSignals([call.signal, signal]),
  });
  return {
    api,
    retry,
    signal,
    call: (call, retryOn, isPublic = false) => ({
      fetch: (request) => send(request, { retryOn, isPublic, ...limitsOf(call) }, settings),
    }),
    async open(call, request) {
      let opened: Promise<OpenAnswer> | undefined;
      await request({
        fetch: async (init) => {
          opened = openStream(init, limitsOf(call), settings);
          await opened;
          // openapi-fetch made the request; its way of reading answers expects an end.
          return new Response();
        },
      });
      if (opened === undefined) throw notUnderstood();
      return opened;
    },
  };
}

export function definedSignals(signals: readonly (AbortSignal | undefined)[]): AbortSignal[] {
  return signals.filter((signal) => signal !== undefined);
}

/** Returns the given or a random idempotency key. Browsers have `crypto.randomUUID` on https pages only. */
export function toIdempotencyKey({ idempotencyKey }: KeyedOptions): string {
  if (idempotencyKey !== undefined) return idempotencyKey;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the body of an answer. @throws UnexpectedAnswerError when it is not in the form of the service */
export async function readData<Data>(call: Promise<{ data?: Data; response: Response }>): Promise<Data> {
  return (await readVersion(call)).data;
}

/** Returns the body of an answer with its `ETag`. */
export async function readVersion<Data>(
  call: Promise<{ data?: Data; response: Response }>,
): Promise<{ data: Data; etag: string }> {
  const answer = await readIfChanged(call);
  if (answer === undefined) throw notUnderstood();
  return answer;
}

/** Returns the body of an answer with its `ETag`; undefined for 304, when the caller already has that version. */
export async function readIfChanged<Data>(
  call: Promise<{ data?: Data; response: Response }>,
): Promise<{ data: Data; etag: string } | undefined> {
  const { data, response } = await call.catch((error: unknown) => {
    // Not passed on as the cause, because its message quotes the answer.
    throw error instanceof SyntaxError ? notUnderstood() : error;
  });
  if (response.status === NOT_MODIFIED) return undefined;
  if (data === undefined || data === null) throw notUnderstood();
  return { data, etag: response.headers.get('etag') ?? '' };
}

/** Waits for a call without a body in its answer. */
export async function done(call: Promise<unknown>): Promise<void> {
  await call;
}

function notUnderstood(): UnexpectedAnswerError {
  return new UnexpectedAnswerError('answer_not_understood', 'The answer is not in the form of the service.');
}

/** Inserts the ids into a path. @throws TypeError for an empty id, and for dots only: they would lead to another path */
function toPath(path: string, ids: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (typeof id !== 'string' || /^\.*$/.test(id)) throw new TypeError(`${name} must be a non-empty id.`);
    return encodeURIComponent(id);
  });
}
