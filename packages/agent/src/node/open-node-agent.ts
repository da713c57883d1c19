import type { Agent } from '../agent.ts';
import { type EnrolledAgentOptions, openEnrolledAgent } from '../enrolment/open-enrolled-agent.ts';
import { devicePaths } from './device-paths.ts';
import { devicePlace } from './device-place.ts';
import { openFileStorage } from './storage/file-storage.ts';

/** The settings of `openNodeAgent`: those of `openAgent` without the ports, and those of the HTTP transport. */
export interface NodeAgentOptions extends EnrolledAgentOptions {
  /** The directory in which the device was enrolled. */
  readonly directory: string;
}

/**
 * Opens the agent of the device that was enrolled in a directory, exclusively for this process.
 *
 * An open agent does not keep the process alive: its timers are unref'd.
 *
 * @throws Error when the directory has no enrolled device; StorageError `in_use` when another process has it
 */
export async function openNodeAgent(options: NodeAgentOptions): Promise<Agent> {
  const paths = devicePaths(options.directory);
  const storage = await openFileStorage({ directory: paths.store });
  const openIndicatorStorage = () => openFileStorage({ directory: paths.indicators });
  return openEnrolledAgent({ ...devicePlace(options.directory, storage), openIndicatorStorage }, options);
}
