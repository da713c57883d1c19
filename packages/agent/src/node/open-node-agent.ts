import type { Agent, AgentOptions } from '../agent.ts';
import { openAgent } from '../open-agent.ts';
import type { AgentStorage } from '../ports/storage.ts';
import { enrolledDevice } from './enrol-device.ts';
import { openDeviceKeys } from './file-device-keys.ts';
import { openFileStorage } from './file-storage.ts';
import { createHttpTransport, type HttpTransportOptions } from './http-transport.ts';
import { placesIn } from './places.ts';

export interface NodeAgentOptions
  extends Omit<AgentOptions, 'identity' | 'storage' | 'keys' | 'transport'>,
    Pick<
      HttpTransportOptions,
      'credential' | 'enrolmentCredential' | 'fetch' | 'timeoutMs' | 'allowInsecure'
    > {
  /** Where the device was enrolled. */
  readonly directory: string;
  /** Where the API is now. Where it was at the enrolment unless told otherwise. */
  readonly baseUrl?: string;
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
  const { directory, clock } = options;
  const { baseUrl, ...identity } = await enrolledDevice(storage);
  const keys = await openDeviceKeys({ path: placesIn(directory).keys });
  const transport = createHttpTransport({
    ...options,
    baseUrl: options.baseUrl ?? baseUrl,
    deviceId: identity.deviceId,
    ...(clock === undefined ? {} : { nowMs: () => clock.nowMs() }),
  });
  return { identity, keys, transport };
}
