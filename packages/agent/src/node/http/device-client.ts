import type { Device, Event, EventBatchResults, RegisteredDevice } from '@tps/contract';
import { redactEvent } from '@tps/detection';
import { parseBaseUrl } from '../../http/base-url.ts';
import { createDeviceRequests } from '../../http/device-requests.ts';
import { type Connection, DEFAULT_TIMEOUT_MS } from '../../http/json-exchange.ts';
import type { DeviceKey } from '../../ports/keys.ts';
import { type Answer, signedPost } from './signed-post.ts';

/** The device, its key, and the service that it calls. */
export interface DeviceClientOptions {
  /** Base URL of the API, including its path prefix if it has one. */
  readonly baseUrl: string;
  /** A token or API key with the scopes `devices:write` and `events:write`. */
  readonly credential: string;
  readonly deviceId: string;
  /** The tenant of the credential, which the device names in what it signs. */
  readonly tenantId: string;
  readonly key: DeviceKey;
  /** Replaces the global `fetch`, for example to use a proxy. */
  readonly fetch?: typeof globalThis.fetch;
  /** Time limit of one request, including its answer (default 30 s). */
  readonly timeoutMs?: number;
  /** Accept http beyond this machine. Set it only if the connection to the service is protected otherwise. */
  readonly allowInsecure?: boolean;
}

/** What a device sends about itself when it registers. */
export interface DeviceDetails {
  readonly platform: Device['platform'];
  readonly name?: string;
  readonly agentVersion?: string;
}

/**
 * The API for one device. Calls are not retried. A repeated call sends the same content under a new signature, and the
 * service treats it as the same request.
 *
 * Every call rejects with a `DeviceClientError` for an error answer, and with the error of `fetch` without an answer.
 */
export interface DeviceClient {
  /** Registers the device under its key. 201 when it is new, 200 when it is already registered. */
  register(details: DeviceDetails): Promise<Answer<RegisteredDevice>>;
  /** Sends one event, redacted. 201 when it is stored, 200 when it was stored before. */
  submitEvent(event: Event): Promise<Answer<Event>>;
  /** Sends 1 to 500 events under one signature, redacted. 200; each result has its own status. */
  submitEvents(events: readonly Event[]): Promise<Answer<EventBatchResults>>;
  /**
   * Replaces the current key with a new one and signs with it from then on. After a refusal the current key stays.
   * Without an answer it is unknown which key is active: with the new key, `register` answers 200 if the rotation took
   * effect and 409 if it did not.
   */
  rotateKey(newKey: DeviceKey): Promise<Answer<Device>>;
}

/** Creates a client for one device. It signs every request (RFC 9421) and redacts every event before sending. */
export function createDeviceClient(options: DeviceClientOptions): DeviceClient {
  const {
    deviceId,
    tenantId,
    credential,
    fetch = globalThis.fetch,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  } = options;
  const connection: Connection = {
    baseUrl: parseBaseUrl(options.baseUrl, options),
    credential,
    fetch,
    timeoutMs,
  };
  const requests = createDeviceRequests({ deviceId, tenantId });
  let { key } = options;

  return {
    register: ({ platform, name, agentVersion }) => {
      const about = {
        platform,
        ...(agentVersion === undefined ? {} : { agent_version: agentVersion }),
        ...(name === undefined ? {} : { name }),
      };
      return signedPost(connection, requests.register(key, about));
    },
    submitEvent: (event) => signedPost(connection, requests.submitEvent(key, redactEvent(event))),
    submitEvents: (events) => signedPost(connection, requests.submitEvents(key, events.map(redactEvent))),
    rotateKey: async (newKey) => {
      const request = requests.rotateKey({ old: key, next: newKey });
      const answer = await signedPost<Device>(connection, request);
      key = newKey;
      return answer;
    },
  };
}
