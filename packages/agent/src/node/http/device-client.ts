import type { Device, Event, EventBatchResults } from '@tps/contract';
import { redactEvent } from '@tps/detection';
import type { DeviceKey } from '../keys/software-key.ts';
import { parseBaseUrl } from './base-url.ts';
import { createDeviceRequests } from './device-requests.ts';
import type { Connection } from './json-exchange.ts';
import { type Answer, signedPost } from './signed-post.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export interface DeviceClientOptions {
  /** Where the API is, with the path prefix if it has one. */
  readonly baseUrl: string;
  /** A token or API key with the scopes `devices:write` and `events:write`. */
  readonly credential: string;
  readonly deviceId: string;
  readonly key: DeviceKey;
  /** Stands in for the global `fetch`, for instance to go through a proxy. */
  readonly fetch?: typeof globalThis.fetch;
  /** How long one request may take in all. 30 s unless told otherwise. */
  readonly timeoutMs?: number;
  /** Take http beyond this machine: only where the way to the service is protected otherwise. */
  readonly allowInsecure?: boolean;
}

/** What a device says about itself when it registers. */
export interface DeviceDetails {
  readonly platform: Device['platform'];
  readonly name?: string;
  readonly agentVersion?: string;
  /** Needed only with a credential that is bound to no tenant. */
  readonly tenantId?: string;
}

/**
 * Speaks to the service as one device. Nothing is retried here: a caller that repeats a call sends a new signature
 * over the same content, which the service takes as the same request.
 */
export interface DeviceClient {
  /** Makes the device known under its key. 201 when new, 200 when it already was. */
  register(details: DeviceDetails): Promise<Answer<Device>>;
  /** Sends one event, redacted. 201 when stored, 200 when it already was. */
  submitEvent(event: Event): Promise<Answer<Event>>;
  /** Sends 1 to 500 events under one signature, redacted. 200; each result has a status of its own. */
  submitEvents(events: readonly Event[]): Promise<Answer<EventBatchResults>>;
  /**
   * Puts a new key in place of the present one and from then on signs with it. After a refusal the present key
   * stays. Without an answer it is unknown which of the two holds: a client with the new key can `register`, which
   * answers 200 if the change took effect and 409 if it did not.
   */
  rotateKey(newKey: DeviceKey): Promise<Answer<Device>>;
}

/** Makes a client for one device. Every request is signed anew (RFC 9421), and no event leaves unredacted. */
export function createDeviceClient(options: DeviceClientOptions): DeviceClient {
  const { deviceId, credential, fetch = globalThis.fetch, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const connection: Connection = {
    baseUrl: parseBaseUrl(options.baseUrl, options),
    credential,
    fetch,
    timeoutMs,
  };
  const requests = createDeviceRequests(deviceId);
  let { key } = options;

  return {
    register: ({ platform, name, agentVersion, tenantId }) => {
      const introduction = {
        platform,
        ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
        ...(agentVersion === undefined ? {} : { agent_version: agentVersion }),
        ...(name === undefined ? {} : { name }),
      };
      return signedPost(connection, requests.register(key, introduction));
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
