import type { Agent, AgentOptions } from '../agent.ts';
import { systemClock } from '../clock/system-clock.ts';
import { OwnCredential } from '../credential/own-credential.ts';
import { openAgent } from '../open-agent.ts';
import type { AgentIndicators } from '../ports/indicators.ts';
import type { AgentStorage } from '../ports/storage.ts';
import { devicePaths } from './device-paths.ts';
import { enrolledDevice } from './enrol-device.ts';
import { type Credential, createHttpTransport, type HttpTransportOptions } from './http/http-transport.ts';
import { IndicatorCache, type IndicatorCacheParts } from './indicators/indicator-cache.ts';
import { openDeviceKeys } from './keys/file-device-keys.ts';
import { openFileStorage } from './storage/file-storage.ts';

/** The settings of `openNodeAgent`: those of `openAgent` without the ports, and those of the HTTP transport. */
export interface NodeAgentOptions
  extends Omit<AgentOptions, 'identity' | 'storage' | 'keys' | 'transport' | 'indicators' | 'ownCredential'>,
    Pick<HttpTransportOptions, 'enrolmentCredential' | 'fetch' | 'timeoutMs' | 'allowInsecure'> {
  /** The directory in which the device was enrolled. */
  readonly directory: string;
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

/**
 * Opens the agent of the device that was enrolled in a directory, exclusively for this process.
 *
 * An open agent does not keep the process alive: its timers are unref'd.
 *
 * @throws Error when the directory has no enrolled device; StorageError `in_use` when another process has it
 */
export async function openNodeAgent(options: NodeAgentOptions): Promise<Agent> {
  const storage = await openFileStorage({ directory: devicePaths(options.directory).store });
  const parts = await openParts(options, storage).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  const { credential: _, ...agentOptions } = options;
  return openAgent({ ...agentOptions, ...parts, storage });
}

async function openParts(options: NodeAgentOptions, storage: AgentStorage) {
  const { directory, clock = systemClock, indicatorKeys } = options;
  const nowMs = () => clock.nowMs();
  const { baseUrl, ...identity } = await enrolledDevice(storage);
  const keys = await openDeviceKeys({ path: devicePaths(directory).keys });
  const ownCredential =
    options.credential === undefined ? await OwnCredential.open({ storage, keys }) : undefined;
  const credential = options.credential ?? (ownCredential && (async () => ownCredential.token));
  if (credential === undefined) {
    throw new Error('The device has no credential: pass one, or enrol it with an enrolment secret.');
  }
  const transport = createHttpTransport({
    ...options,
    credential,
    baseUrl: options.baseUrl ?? baseUrl,
    deviceId: identity.deviceId,
    tenantId: identity.tenantId,
  });
  const { tenantId } = identity;
  const indicators = await openIndicators(directory, { transport, tenantId, nowMs, indicatorKeys });
  return { identity, keys, transport, indicators, ...(ownCredential && { ownCredential }) };
}

async function openIndicators(
  directory: string,
  parts: Omit<IndicatorCacheParts, 'storage'>,
): Promise<AgentIndicators> {
  const storage = await openFileStorage({ directory: devicePaths(directory).indicators });
  return IndicatorCache.open({ ...parts, storage }).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
}
