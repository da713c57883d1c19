import type { Device, EventBatchResult } from '@tps/contract';
import { untilAborted } from '../../concurrency/until-aborted.ts';
import { errorOf } from '../../errors/api-error.ts';
import type { IndicatorTransport } from '../../ports/indicators.ts';
import { KeyError } from '../../ports/keys.ts';
import type { AgentTransport, Outcome } from '../../ports/transport.ts';
import { parseBaseUrl } from './base-url.ts';
import { createDeviceRequests } from './device-requests.ts';
import { fetchBundle, fetchKeys } from './fetch-indicators.ts';
import { fetchPolicies } from './fetch-policies.ts';
import { outcomeOf } from './http-outcome.ts';
import { exchangeJson, type JsonRequest, type JsonResponse } from './json-exchange.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const TENANT_ID = /^tnt_[A-Za-z0-9_-]{1,64}$/;

/** A token or API key, or what gives the one that is valid now. */
export type Credential = string | (() => Promise<string>);

export interface HttpTransportOptions {
  /** Where the API is, with the path prefix if it has one. */
  readonly baseUrl: string;
  readonly deviceId: string;
  /** With the scopes `events:write`, `devices:read` for policies and indicators, and `devices:write` to rotate the signing key. */
  readonly credential: Credential;
  /** Stands in for `credential` when the device registers. */
  readonly enrolmentCredential?: Credential;
  /** Stands in for the global `fetch`, for instance to go through a proxy. */
  readonly fetch?: typeof globalThis.fetch;
  /** How long one request may take in all. 30 s unless told otherwise. */
  readonly timeoutMs?: number;
  /** Take http beyond this machine: only where the way to the service is protected otherwise. */
  readonly allowInsecure?: boolean;
  /** The device's clock, in Unix milliseconds. */
  readonly nowMs?: () => number;
}

/**
 * Speaks to the service over HTTP. Signatures are dated by the service's clock as its answers show it, so that a device
 * whose clock is wrong is not locked out.
 */
export function createHttpTransport(options: HttpTransportOptions): AgentTransport & IndicatorTransport {
  const { deviceId, nowMs = Date.now, enrolmentCredential = options.credential } = options;
  const send = createSender(options);
  const thisDevice = (content: unknown) => deviceOf(content, deviceId);
  let aheadMs = 0;

  const requests = createDeviceRequests(deviceId, () => Math.floor((nowMs() - aheadMs) / 1000));
  const noteTime = <Body>(outcome: Outcome<Body>): Outcome<Body> => {
    if (outcome.kind !== 'unreachable' && outcome.serviceTimeMs !== undefined) {
      aheadMs = nowMs() - outcome.serviceTimeMs;
    }
    return outcome;
  };
  const ask = async <Body>(
    request: JsonRequest,
    read: (content: unknown) => Body | undefined,
    by?: Credential,
  ) => {
    const response = await send(request, by);
    return noteTime<Body>(
      typeof response === 'string' ? { kind: 'unreachable', message: response } : outcomeOf(response, read),
    );
  };

  return {
    register: ({ key, platform, name, agentVersion }, signal) => {
      const introduction = {
        platform,
        ...(agentVersion === undefined ? {} : { agent_version: agentVersion }),
        ...(name === undefined ? {} : { name }),
      };
      return ask({ ...requests.register(key, introduction), signal }, thisDevice, enrolmentCredential);
    },
    sendEvents: ({ events, key }, signal) =>
      ask({ ...requests.submitEvents(key, events), signal }, resultsOf),
    rotateKey: (keys, signal) => ask({ ...requests.rotateKey(keys), signal }, thisDevice),
    fetchPolicies: async (etag, signal) =>
      noteTime(await fetchPolicies((request) => send({ ...request, signal }), etag)),
    fetchIndicatorBundle: async (etag, signal) =>
      noteTime(await fetchBundle((request) => send({ ...request, signal }), etag)),
    fetchIndicatorKeys: async (signal) =>
      noteTime(await fetchKeys((request) => send({ ...request, signal }))),
  };
}

/** Gives what sends one request, and answers with a sentence where there was no answer. */
function createSender({ credential, timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: HttpTransportOptions) {
  const connection = {
    baseUrl: parseBaseUrl(options.baseUrl, options),
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs,
  };
  /** What gives the credential may need a network itself, and has no longer than a request. */
  const ask = (give: () => Promise<string>, { signal }: JsonRequest) => {
    const timeLimit = AbortSignal.timeout(timeoutMs);
    return untilAborted(give(), signal === undefined ? timeLimit : AbortSignal.any([timeLimit, signal]));
  };
  return async (request: JsonRequest, by: Credential = credential): Promise<JsonResponse | string> => {
    try {
      if (typeof by === 'string') return await exchangeJson({ ...connection, credential: by }, request);
      const first = await ask(by, request);
      const response = await exchangeJson({ ...connection, credential: first }, request);
      if (errorOf(response.content)?.code !== 'invalid_credentials') return response;
      // It may have run out on the way. Whoever gives it knows of a newer one, or nobody does.
      const second = await ask(by, request);
      return second === first ? response : await exchangeJson({ ...connection, credential: second }, request);
    } catch (error) {
      return reasonOf(error);
    }
  };
}

/** Says why there was no answer. Not in the words of `fetch`: they quote a header that cannot be sent, credential included. */
function reasonOf(error: unknown): string {
  if (error instanceof KeyError) return `The request could not be signed: ${error.message}`;
  const { name, cause } = (error ?? {}) as Error;
  const { code } = (cause ?? {}) as { code?: unknown };
  return `The service was not reached (${typeof code === 'string' ? code : name}).`;
}

/** The tenant's id is kept, and stands in every event. */
function deviceOf(content: unknown, deviceId: string): Device | undefined {
  const device = content as Device | null | undefined;
  const isRight = device?.device_id === deviceId && TENANT_ID.test(String(device.tenant_id));
  return isRight ? device : undefined;
}

function resultsOf(content: unknown): readonly EventBatchResult[] | undefined {
  const { results } = (content ?? {}) as { results?: readonly EventBatchResult[] };
  const isResult = (result: EventBatchResult | null) => Number.isInteger(result?.status);
  return Array.isArray(results) && results.every(isResult) ? results : undefined;
}
