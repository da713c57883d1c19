import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { type EventSubject, eventHashOf, subjectOf } from '../../feed/index.ts';
import type { PreparedEvent, Submission } from './submission.ts';

/** A prepared event in the form in which it is sequenced, derived and inserted. */
export interface StorableEvent {
  readonly event: Event;
  /** RFC 8785 text of `event`. */
  readonly body: string;
  readonly timestampMs: number;
  readonly subject: EventSubject;
  /** SHA-256 of `body`. */
  readonly eventHash: Buffer;
  /** SHA-256 of the RFC 8785 text of the event as the device sent it. */
  readonly receivedHash: Buffer;
}

/** A submission with its events parsed. */
export interface StorableSubmission extends Omit<Submission, 'request' | 'events'> {
  readonly events: readonly StorableEvent[];
}

/** Parses and hashes the events of a submission. */
export function toStorable(submission: Omit<Submission, 'request'>): StorableSubmission {
  return { ...submission, events: submission.events.map(toStorableEvent) };
}

function toStorableEvent({ body, receivedHash, timestampMs }: PreparedEvent): StorableEvent {
  const event = readJson(body) as Event;
  const eventHash = eventHashOf(body);
  return {
    event,
    body,
    timestampMs,
    subject: subjectOf(event),
    eventHash,
    receivedHash: receivedHash === undefined ? eventHash : Buffer.from(receivedHash, 'hex'),
  };
}
