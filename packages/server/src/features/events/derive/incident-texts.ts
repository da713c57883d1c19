import { categoryWords } from '../../alerts/index.ts';
import type { FeedEvent } from '../../feed/index.ts';

/** The message of the incident that an event of high severity opens. */
export function deviceMessage({ category, deviceId }: FeedEvent): string {
  return `${categoryWords(category)} on device ${deviceId}`;
}

/** The message of the incident that a broken event chain opens. */
export function brokenChainMessage({ deviceChain, deviceId, eventId }: FeedEvent): string {
  const what = deviceChain === 'gap' ? 'a gap' : 'a fork';
  return `The event chain of device ${deviceId} has ${what} at ${eventId}`;
}

/** The message of the campaign that an indicator opens. */
export function campaignMessage(indicator: string | undefined, devices: number): string {
  return `Indicator ${indicator} seen on ${devices} or more devices`;
}

/** The message of the timeline entry of the event that opens an incident. */
export function openedMessage({ eventId }: Pick<FeedEvent, 'eventId'>): string {
  return `Opened by event ${eventId}`;
}

/** The message of the timeline entry of a correction, without what follows for the status. */
export function correctionMessage(correctedId: string, correction: FeedEvent): string {
  const { action, severity, eventId } = correction;
  return `Event ${correctedId} corrected to ${action}, severity ${severity}, by ${eventId}`;
}
