import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import type { paths } from '../generated/api.ts';
import { toBaseUrl } from './base-url.ts';
import type { Credential } from './credential.ts';
import { type Fetch, NOT_MODIFIED } from './exchange.ts';
import type { RetryOn, RetryRules } from './retry.ts';
import { type SendSettings, send } from './send.ts';

/** Where the service is and how to speak to it. */
export interface ClientOptions {
  /** `https://…`, without a slash at its end or with one. http only on this machine. */
  readonly baseUrl: string;
  /** Sent as a bearer token. Without it only what is open to all can be called. */
  readonly credential?: Credential | undefined;
  /** For each attempt, from sending to the last byte of the answer. 30,000 unless given. */
  readonly timeoutMs?: number;
  readonly retry?: RetryRules;
  /** Ends everything that this client does. */
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of an answer. 128 MiB unless given: the longest page of the largest events fits. */
  readonly responseLimitBytes?: number;
  /** In place of the global one. */
  readonly fetch?: Fetch;
  /** Allows http to another machine, where anybody on the way reads the credential. */
  readonly allowInsecure?: boolean;
}

/** What can be said with every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For each attempt, in place of the client's. */
  readonly timeoutMs?: number | undefined;
}

/** With a call whose repetition the service recognises by a key. */
export interface KeyedOptions extends CallOptions {
  /** Made anew for each call unless given. Give your own to repeat a call after a restart: it holds for 24 hours. */
  readonly idempotencyKey?: string | undefined;
}

/** What the resources stand on. */
export interface Connection {
  readonly api: FetchClient<paths>;
  readonly retry: RetryRules;
  readonly signal: AbortSignal | undefined;
  /** Makes what turns a request of `api` into a call by the rules. */
  call(
    options: CallOptions,
    retryOn: RetryOn,
    isPublic?: boolean,
  ): { fetch: (request: Request) => Promise<Response> };
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RESPONSE_LIMIT_BYTES = 128 * 1_048_576;

/** @throws TypeError when the address is none to send a credential to */
export function createConnection(options: ClientOptions): Connection {
  const { retry = {}, signal } = options;
  const settings: SendSettings = {
    credential: options.credential,
    // Called bare: a browser's fetch refuses to be called as a method of something else.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    retry,
    responseLimitBytes: options.responseLimitBytes ?? DEFAULT_RESPONSE_LIMIT_BYTES,
  };
  const api = createFetchClient<paths>({
    baseUrl: toBaseUrl(options.baseUrl, options),
    headers: { accept: 'application/json' },
    pathSerializer: toPath,
  });
  return {
    api,
    retry,
    signal,
    call: (call, retryOn, isPublic = false) => ({
      fetch: (request) => {
        const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
        const signals = definedSignals([call.signal, signal]);
        return send(request, { retryOn, timeoutMs, signals, isPublic }, settings);
      },
    }),
  };
}

export function definedSignals(signals: readonly (AbortSignal | undefined)[]): AbortSignal[] {
  return signals.filter((signal) => signal !== undefined);
}

/** Draws an idempotency key. `crypto.randomUUID` would do, but browsers have it on https alone. */
export function toIdempotencyKey({ idempotencyKey }: KeyedOptions): string {
  if (idempotencyKey !== undefined) return idempotencyKey;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Gives what a call read. @throws UnexpectedAnswerError when it is nothing that the service would say */
export async function readData<Data>(call: Promise<{ data?: Data; response: Response }>): Promise<Data> {
  return (await readVersion(call)).data;
}

/** Gives what a call read, and the version that the service says it is. */
export async function readVersion<Data>(
  call: Promise<{ data?: Data; response: Response }>,
): Promise<{ data: Data; etag: string }> {
  const answer = await readIfChanged(call);
  if (answer === undefined) throw notUnderstood();
  return answer;
}

/** Gives what a call read with its version; undefined when the caller has that version already. */
export async function readIfChanged<Data>(
  call: Promise<{ data?: Data; response: Response }>,
): Promise<{ data: Data; etag: string } | undefined> {
  const { data, response } = await call.catch((error: unknown) => {
    // Not passed on as the cause: its message quotes the answer.
    throw error instanceof SyntaxError ? notUnderstood() : error;
  });
  if (response.status === NOT_MODIFIED) return undefined;
  if (data === undefined || data === null) throw notUnderstood();
  return { data, etag: response.headers.get('etag') ?? '' };
}

/** Waits for a call that reads nothing. */
export async function done(call: Promise<unknown>): Promise<void> {
  await call;
}

function notUnderstood(): UnexpectedAnswerError {
  return new UnexpectedAnswerError('answer_not_understood', 'The answer is not what the service would say.');
}

/** An id of dots would climb to another path. @throws TypeError */
function toPath(path: string, ids: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (typeof id !== 'string' || /^\.*$/.test(id)) throw new TypeError(`${name} must be an id.`);
    return encodeURIComponent(id);
  });
}
