import type { Device, EventBatchResult, RegisteredDevice } from '@tps/contract';
import { untilAborted } from '../concurrency/until-aborted.ts';
import { parseCredential } from '../credential/own-credential.ts';
import { parseApiError } from '../errors/api-error.ts';
import type { IndicatorTransport } from '../ports/indicators.ts';
import { KeyError } from '../ports/keys.ts';
import type { AgentTransport } from '../ports/transport.ts';
import { parseBaseUrl } from './base-url.ts';
import { createDeviceRequests } from './device-requests.ts';
import { fetchBundle, fetchKeys } from './fetch-indicators.ts';
import { fetchPolicies } from './fetch-policies.ts';
import { fetchUpdates } from './fetch-updates.ts';
import { toOutcome } from './http-outcome.ts';
import { DEFAULT_TIMEOUT_MS, exchangeJson, type JsonRequest, type JsonResponse } from './json-exchange.ts';

/** A token or API key, or a function that returns the one valid now. */
export type Credential = string | (() => Promise<string>);

/** The device and the service of an HTTP transport. */
export interface HttpTransportOptions {
  /** Base URL of the API, including its path prefix if it has one. */
  readonly baseUrl: string;
  readonly deviceId: string;
  /** The tenant of the device, which it names in what it signs. */
  readonly tenantId: string;
  /** Needs the scopes `events:write`, `devices:read` for policies and indicators, and `devices:write` to rotate the signing key. */
  readonly credential: Credential;
  /** Used instead of `credential` to register the device. */
  readonly enrolmentCredential?: Credential;
  /** Replaces the global `fetch`, for example to use a proxy. */
  readonly fetch?: typeof globalThis.fetch;
  /** Time limit of one request, including its answer (default 30 s). */
  readonly timeoutMs?: number;
  /** Accept http beyond this machine. Set it only if the connection to the service is protected otherwise. */
  readonly allowInsecure?: boolean;
}

/** Creates the transport to the service over HTTP. */
export function createHttpTransport(options: HttpTransportOptions): AgentTransport & IndicatorTransport {
  const { deviceId, tenantId, enrolmentCredential = options.credential } = options;
  const send = createSender(options);
  const requests = createDeviceRequests({ deviceId, tenantId });
  const sendUntil = (signal: AbortSignal) => (request: JsonRequest) => send({ ...request, signal });
  const toRegistered = (response: JsonResponse) => parseRegistered(response, toDevice(response));
  const toDevice = ({ content }: JsonResponse) => parseDevice(content, { deviceId, tenantId });

  return {
    async register({ key, platform, name, agentVersion, signedAtMs }, signal) {
      const about = {
        platform,
        ...(agentVersion === undefined ? {} : { agent_version: agentVersion }),
        ...(name === undefined ? {} : { name }),
      };
      const request = { ...requests.register(key, about, signedAtMs), signal };
      return toOutcome(await send(request, enrolmentCredential), toRegistered);
    },
    async readDevice(signal) {
      const path = `devices/${encodeURIComponent(deviceId)}`;
      return toOutcome(await send({ path, signal }), toDevice);
    },
    async renewCredential({ key, signedAtMs }, signal) {
      const request = { ...requests.renewCredential(key, signedAtMs), signal };
      return toOutcome(await send(request), ({ content }) => parseCredential(content));
    },
    async sendEvents({ events, key, signedAtMs }, signal) {
      const request = { ...requests.submitEvents(key, events, signedAtMs), signal };
      return toOutcome(await send(request), parseResults);
    },
    async rotateKey({ old, next, signedAtMs }, signal) {
      const request = { ...requests.rotateKey({ old, next }, signedAtMs), signal };
      return toOutcome(await send(request), toDevice);
    },
    fetchUpdates: (etag, signal) => fetchUpdates(sendUntil(signal), { deviceId, etag }),
    fetchPolicies: (etag, signal) => fetchPolicies(sendUntil(signal), etag),
    fetchIndicatorBundle: (etag, signal) => fetchBundle(sendUntil(signal), etag),
    fetchIndicatorKeys: (signal) => fetchKeys(sendUntil(signal)),
  };
}

/** Creates the function that sends one request. It resolves with a sentence that says why when there was no answer. */
function createSender({ credential, timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: HttpTransportOptions) {
  const connection = {
    baseUrl: parseBaseUrl(options.baseUrl, options),
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs,
  };
  /** The credential function may use the network itself, so it has the time limit of a request. */
  const resolveCredential = (current: () => Promise<string>, { signal }: JsonRequest) => {
    const timeLimit = AbortSignal.timeout(timeoutMs);
    return untilAborted(current(), signal === undefined ? timeLimit : AbortSignal.any([timeLimit, signal]));
  };
  return async (request: JsonRequest, by: Credential = credential): Promise<JsonResponse | string> => {
    try {
      if (typeof by === 'string') return await exchangeJson({ ...connection, credential: by }, request);
      const first = await resolveCredential(by, request);
      const response = await exchangeJson({ ...connection, credential: first }, request);
      if (parseApiError(response.content)?.code !== 'invalid_credentials') return response;
      // It may have expired in transit. If the function has a newer one, that gets one attempt.
      const second = await resolveCredential(by, request);
      return second === first ? response : await exchangeJson({ ...connection, credential: second }, request);
    } catch (error) {
      return reasonFor(error);
    }
  };
}

/** Says why there was no answer, without the message of `fetch`: it quotes a header that cannot be sent, credential included. */
function reasonFor(error: unknown): string {
  if (error instanceof KeyError) return `The request could not be signed: ${error.message}`;
  const { name, cause } = (error ?? {}) as Error;
  const { code } = (cause ?? {}) as { code?: unknown };
  return `The service could not be reached (${typeof code === 'string' ? code : name}).`;
}

/** Parses the answer about this device. */
function parseDevice(
  content: unknown,
  { deviceId, tenantId }: { deviceId: string; tenantId: string },
): Device | undefined {
  const device = content as Device | null | undefined;
  return device?.device_id === deviceId && device.tenant_id === tenantId ? device : undefined;
}

/** A credential that cannot be used must not end an enrolment: without it the device could do nothing. */
function parseRegistered(
  { content }: JsonResponse,
  device: Device | undefined,
): RegisteredDevice | undefined {
  const { credential } = (content ?? {}) as { credential?: unknown };
  if (device === undefined || credential === undefined) return device;
  const parsed = parseCredential(credential);
  return parsed && { ...device, credential: parsed };
}

function parseResults({ content }: JsonResponse): readonly EventBatchResult[] | undefined {
  const { results } = (content ?? {}) as { results?: readonly EventBatchResult[] };
  const isResult = (result: EventBatchResult | null) => Number.isInteger(result?.status);
  return Array.isArray(results) && results.every(isResult) ? results : undefined;
}
