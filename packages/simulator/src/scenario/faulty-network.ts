import type { Event, EventBatchResults } from '@tps/contract';
import { createDeviceNetwork } from '../device-network.ts';
import type { NetworkFault } from './scenario.ts';

type Fetch = typeof globalThis.fetch;

/** The service's answer about one event. */
export interface EventAnswer {
  /** As the device sent it. */
  readonly event: Event;
  readonly status: number;
  /** Error code of a refusal. */
  readonly code: string | undefined;
  /** Error code that the scenario expects; undefined where the event is to be accepted. */
  readonly expected: string | undefined;
}

/** The network of one device. It fails, and an attacker on it changes and replays requests, as the scenario demands. */
export interface FaultyNetwork {
  readonly fetch: Fetch;
  /** While true, requests do not reach the service. */
  isOffline: boolean;
  /** Changes one byte of the next signed request, or loses the answer to it. */
  failNext(fault: Extract<NetworkFault, 'tampered' | 'answer_lost'>): void;
  /** Sets the refusal that the next answers are expected to be. */
  expect(code: string | undefined): void;
  /** Sends the last request with events a second time: same bytes, same signature. */
  replayLast(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

export function createFaultyNetwork(onAnswer: (answer: EventAnswer) => void): FaultyNetwork {
  const counts = { sent: 0, retried: 0, throttled: 0, offline: 0 };
  const send = createDeviceNetwork({ isOffline: () => network.isOffline, counts });
  let nextFault: NetworkFault | undefined;
  let expected: string | undefined;
  let last: Parameters<Fetch> | undefined;

  const sendEvents = async ([url, init]: Parameters<Fetch>, refusal: string | undefined) => {
    const response = await send(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const events = readEvents(init?.body);
    for (const answer of readAnswers(events, response.status, await response.clone().json())) {
      onAnswer({ ...answer, expected: refusal });
    }
    return response;
  };
  const network: FaultyNetwork = {
    isOffline: false,
    async fetch(url, init) {
      const isUpload = init?.method === 'POST' && new URL(String(url)).pathname.startsWith('/events');
      if (!isUpload || network.isOffline) return send(url, init);
      const fault = nextFault;
      nextFault = undefined;
      const body = fault === 'tampered' && init.body instanceof Uint8Array && changeOneByte(init.body);
      last = [url, { ...init, ...(body ? { body } : {}) }];
      const response = await sendEvents(last, fault === 'tampered' ? 'invalid_signature' : expected);
      if (fault === 'answer_lost') throw new TypeError('The answer was lost.');
      return response;
    },
    failNext(fault) {
      nextFault = fault;
    },
    expect(code) {
      expected = code;
    },
    async replayLast() {
      if (!last) throw new Error('There is no request to replay.');
      await sendEvents(last, 'replayed_request');
    },
  };
  return network;
}

/** Increments the first digit below 9, so that the body stays well-formed JSON. */
function changeOneByte(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const changed = Uint8Array.from(body);
  const at = changed.findIndex((byte) => byte >= 0x30 && byte <= 0x38);
  const digit = changed[at];
  if (digit !== undefined) changed[at] = digit + 1;
  return changed;
}

function readEvents(body: unknown): Event[] {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : String(body);
  const content = JSON.parse(text) as Event | { events: Event[] };
  return 'events' in content ? content.events : [content];
}

type Answer = { error?: { code: string } } | EventBatchResults;

function readAnswers(
  events: readonly Event[],
  status: number,
  content: unknown,
): Omit<EventAnswer, 'expected'>[] {
  const answer = content as Answer;
  if (!('results' in answer)) {
    const code = 'error' in answer ? answer.error?.code : undefined;
    return events.map((event) => ({ event, status, code }));
  }
  return answer.results.flatMap(({ status, error }, index) => {
    const event = events[index];
    return event ? [{ event, status, code: error?.code }] : [];
  });
}
