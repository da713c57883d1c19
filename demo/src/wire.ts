import type { Event, EventBatchResults } from '@tps/contract';

type Fetch = typeof globalThis.fetch;

/** What the service answered about one event. */
export interface Outcome {
  /** As the device sent it. */
  readonly event: Event;
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | undefined;
  /** Code of the refusal that was meant to happen; undefined where the event was to be accepted. */
  readonly expected: string | undefined;
}

/** What somebody, or bad luck, does to the next request of a device. */
type Mishap = 'tampered' | 'answer_lost';

/** The way between a device and the service: it can fail, and somebody may be on it. Everybody sees what passes. */
export interface Wire {
  readonly fetch: Fetch;
  /** While it is down, no request arrives. */
  isDown: boolean;
  /** Changes one byte of the next request, after the device has signed it, or loses the answer to it. */
  befallNext(mishap: Mishap): void;
  /** The refusal that the next answers are meant to be. */
  expect(code: string | undefined): void;
  /** Sends the last events once more as they were, signature and all. */
  replayLast(): Promise<void>;
}

export function createWire(onOutcome: (outcome: Outcome) => void): Wire {
  let mishap: Mishap | undefined;
  let expected: string | undefined;
  let last: Parameters<Fetch> | undefined;

  const pass = async (request: Parameters<Fetch>, meant: string | undefined): Promise<Response> => {
    const [url, init] = request;
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    const events = readEvents(init?.body);
    for (const outcome of readOutcomes(events, response.status, (await response.clone().json()) as Answer)) {
      onOutcome({ ...outcome, expected: meant });
    }
    return response;
  };

  const wire: Wire = {
    isDown: false,
    async fetch(url, init) {
      if (wire.isDown) throw new TypeError('There is no way to the service.');
      if (init?.method !== 'POST' || !new URL(String(url)).pathname.startsWith('/events'))
        return fetch(url, init);
      const happened = mishap;
      mishap = undefined;
      const body = happened === 'tampered' && init.body instanceof Uint8Array && changeOneByte(init.body);
      last = [url, { ...init, ...(body ? { body } : {}) }];
      const response = await pass(last, happened === 'tampered' ? 'invalid_signature' : expected);
      if (happened === 'answer_lost') throw new TypeError('The answer was lost.');
      return response;
    },
    befallNext(next) {
      mishap = next;
    },
    expect(code) {
      expected = code;
    },
    async replayLast() {
      if (!last) throw new Error('There is no request to repeat.');
      await pass(last, 'replayed_request');
    },
  };
  return wire;
}

/** Another digit for the first one, so that the body stays well-formed JSON. */
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

function readOutcomes(events: readonly Event[], status: number, answer: Answer): Omit<Outcome, 'expected'>[] {
  if (!('results' in answer)) {
    return events.map((event) => ({
      event,
      status,
      code: 'error' in answer ? answer.error?.code : undefined,
    }));
  }
  return answer.results.flatMap(({ status: one, error }, index) => {
    const event = events[index];
    return event ? [{ event, status: one, code: error?.code }] : [];
  });
}
