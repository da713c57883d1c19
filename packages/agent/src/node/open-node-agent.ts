import type { Agent, AgentOptions } from '../agent.ts';
import { systemClock } from '../clock/system-clock.ts';
import { openAgent } from '../open-agent.ts';
import type { AgentIndicators } from '../ports/indicators.ts';
import type { AgentStorage } from '../ports/storage.ts';
import { placesIn } from './device-paths.ts';
import { enrolledDevice } from './enrol-device.ts';
import { createHttpTransport, type HttpTransportOptions } from './http/http-transport.ts';
import { IndicatorKeeper, type IndicatorKeeperParts } from './indicators/indicator-cache.ts';
import { openDeviceKeys } from './keys/file-device-keys.ts';
import { openFileStorage } from './storage/file-storage.ts';

export interface NodeAgentOptions
  extends Omit<AgentOptions, 'identity' | 'storage' | 'keys' | 'transport' | 'indicators'>,
    Pick<
      HttpTransportOptions,
      'credential' | 'enrolmentCredential' | 'fetch' | 'timeoutMs' | 'allowInsecure'
    > {
  /** Where the device was enrolled. */
  readonly directory: string;
  /** Where the API is now. Where it was at the enrolment unless told otherwise. */
  readonly baseUrl?: string;
  /**
   * Public keys that bundles of indicators may be signed with: SubjectPublicKeyInfo in DER, base64. Without any, those that
   * the service names first are trusted from then on.
   */
  readonly indicatorKeys?: readonly string[];
}

/**
 * Opens the agent of the device that was enrolled in a directory. One process at a time.
 *
 * An open agent does not keep the process alive: its timers are of the kind that Node does not wait for.
 *
 * @throws Error when the directory is not enrolled; StorageError `in_use` when another process has it
 */
export async function openNodeAgent(options: NodeAgentOptions): Promise<Agent> {
  const storage = await openFileStorage({ directory: placesIn(options.directory).store });
  const parts = await partsOf(options, storage).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  return openAgent({ ...options, ...parts, storage });
}

async function partsOf(options: NodeAgentOptions, storage: AgentStorage) {
  const { directory, clock = systemClock, indicatorKeys } = options;
  const nowMs = () => clock.nowMs();
  const { baseUrl, ...identity } = await enrolledDevice(storage);
  const keys = await openDeviceKeys({ path: placesIn(directory).keys });
  const transport = createHttpTransport({
    ...options,
    baseUrl: options.baseUrl ?? baseUrl,
    deviceId: identity.deviceId,
    nowMs,
  });
  const { tenantId } = identity;
  const indicators = await openIndicators(directory, { transport, tenantId, nowMs, indicatorKeys });
  return { identity, keys, transport, indicators };
}

async function openIndicators(
  directory: string,
  parts: Omit<IndicatorKeeperParts, 'storage'>,
): Promise<AgentIndicators> {
  const storage = await openFileStorage({ directory: placesIn(directory).indicators });
  return IndicatorKeeper.open({ ...parts, storage }).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
}
