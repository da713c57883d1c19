import type { Agent, AgentOptions } from '../agent.ts';
import { systemClock } from '../clock/system-clock.ts';
import { OwnCredential } from '../credential/own-credential.ts';
import { type Credential, createHttpTransport, type HttpTransportOptions } from '../http/http-transport.ts';
import { IndicatorCache, type IndicatorCacheParts } from '../indicators/indicator-cache.ts';
import { openAgent } from '../open-agent.ts';
import type { AgentIndicators } from '../ports/indicators.ts';
import type { AgentStorage } from '../ports/storage.ts';
import { type DevicePlace, enrolledDevice } from './enrol.ts';

/** The settings of an enrolled device: those of `openAgent` without the ports, and those of the HTTP transport. */
export interface EnrolledAgentOptions
  extends Omit<AgentOptions, 'identity' | 'storage' | 'keys' | 'transport' | 'indicators' | 'ownCredential'>,
    Pick<HttpTransportOptions, 'enrolmentCredential' | 'fetch' | 'timeoutMs' | 'allowInsecure'> {
  /**
   * A credential that the application brings. Without it, the agent uses and renews the one that the device got when it
   * enrolled with an enrolment secret.
   */
  readonly credential?: Credential;
  /** Base URL of the API (default: the one of the enrolment). */
  readonly baseUrl?: string;
  /**
   * Public keys that may sign bundles of indicators: Ed25519, SubjectPublicKeyInfo in DER, base64. By default the agent
   * trusts the keys that the service lists at first use, and no others later.
   */
  readonly indicatorKeys?: readonly string[];
}

/** Where a device was enrolled. The agent takes ownership of both storages. */
export interface EnrolledPlace extends Omit<DevicePlace, 'createKeys'> {
  readonly openIndicatorStorage: () => Promise<AgentStorage>;
}

/** Opens the agent of the device that was enrolled in a place. @throws Error when the place has no enrolled device */
export async function openEnrolledAgent(place: EnrolledPlace, options: EnrolledAgentOptions): Promise<Agent> {
  const { storage } = place;
  const parts = await openParts(place, options).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  const { credential: _, ...agentOptions } = options;
  return openAgent({ ...agentOptions, ...parts, storage });
}

async function openParts(place: EnrolledPlace, options: EnrolledAgentOptions) {
  const { clock = systemClock, indicatorKeys } = options;
  const { storage } = place;
  const nowMs = () => clock.nowMs();
  const { baseUrl, ...identity } = await enrolledDevice(place);
  const keys = await place.openKeys();
  const ownCredential =
    options.credential === undefined ? await OwnCredential.open({ storage, keys }) : undefined;
  const credential = options.credential ?? (ownCredential && (async () => ownCredential.token));
  if (credential === undefined) {
    throw new Error('The device has no credential: pass one, or enrol it with an enrolment secret.');
  }
  const { deviceId, tenantId } = identity;
  const transport = createHttpTransport({
    ...options,
    credential,
    baseUrl: options.baseUrl ?? baseUrl,
    deviceId,
    tenantId,
  });
  const indicators = await openIndicators(place, { transport, tenantId, nowMs, indicatorKeys });
  return { identity, keys, transport, indicators, ...(ownCredential && { ownCredential }) };
}

async function openIndicators(
  { openIndicatorStorage }: EnrolledPlace,
  parts: Omit<IndicatorCacheParts, 'storage'>,
): Promise<AgentIndicators> {
  const storage = await openIndicatorStorage();
  return IndicatorCache.open({ ...parts, storage }).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
}
