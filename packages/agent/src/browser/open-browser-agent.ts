import type { Agent } from '../agent.ts';
import { type EnrolledAgentOptions, openEnrolledAgent } from '../enrolment/open-enrolled-agent.ts';
import { type BrowserPlaceOptions, openBrowserPlace } from './browser-place.ts';

/** The settings of `openBrowserAgent`: those of `openAgent` without the ports, and those of the HTTP transport. */
export interface BrowserAgentOptions extends EnrolledAgentOptions, BrowserPlaceOptions {}

/**
 * Opens the agent of the device that was enrolled in a database of the browser, exclusively for this page or worker. Needs a
 * secure context: https, or this machine.
 *
 * @throws Error when the database has no enrolled device; StorageError `in_use` when another page has it
 */
export async function openBrowserAgent(options: BrowserAgentOptions = {}): Promise<Agent> {
  const { database: _, ...agentOptions } = options;
  return openEnrolledAgent(await openBrowserPlace(options), agentOptions);
}
