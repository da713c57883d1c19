import { expect, test } from 'vitest';
import type { EventIdStore } from './event-id-store.ts';
import { createMemoryEventIdStore } from './memory-event-id-store.ts';
import { assertReceiverOptions, receiveWebhook, type WebhookReceiverOptions } from './receive-webhook.ts';
import {
  type DeliveryParts,
  EVENT,
  NOW_S,
  OLD_SECRET,
  SECRET,
  signDelivery,
  withoutStandardHeaders,
} from './testing/sign-delivery.ts';
import type { RawBody } from './webhook-body.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

/** A receiver that records what it handles. `post` sends a delivery and returns a short form of the answer. */
function createReceiver(changes: Partial<WebhookReceiverOptions> = {}) {
  const handled: string[] = [];
  const errors: unknown[] = [];
  const options: WebhookReceiverOptions = {
    secrets: [SECRET],
    store: createMemoryEventIdStore(),
    clock: () => NOW_S * 1000,
    onEvent: ({ eventId }) => void handled.push(eventId),
    onError: (error) => void errors.push(error),
    ...changes,
  };
  const send = async (request: { method?: string; headers: Record<string, string>; rawBody: RawBody }) => {
    const { status, headers, body } = await receiveWebhook({ method: 'POST', ...request }, options);
    const said = JSON.parse(body) as { status?: string; error?: { code: string } };
    return { status, said: said.error?.code ?? said.status, headers };
  };
  const post = (parts: DeliveryParts = {}) => {
    const { body, headers } = signDelivery(parts);
    return send({ headers, rawBody: body });
  };
  return { handled, errors, send, post };
}

test('a new event is handled, and each duplicate gets a success answer', async () => {
  const receiver = createReceiver();
  expect(await receiver.post()).toMatchObject({ status: 200, said: 'handled' });
  expect(await receiver.post({ attempt: 2, timestampS: NOW_S + 1 })).toMatchObject({
    status: 200,
    said: 'duplicate',
  });
  expect(receiver.handled).toEqual([EVENT.event_id]);
  expect(receiver.errors).toEqual([]);
});

test('the same id of another tenant is another event', async () => {
  const receiver = createReceiver();
  await receiver.post();
  const body = JSON.stringify({ ...EVENT, tenant_id: 'tnt_another' });
  expect(await receiver.post({ body })).toMatchObject({ said: 'handled' });
  expect(receiver.handled).toHaveLength(2);
});

test('an event whose handler threw is handled when it is sent again', async () => {
  const failure = new Error('the database is away');
  let isBroken = true;
  const handled: string[] = [];
  const receiver = createReceiver({
    onEvent: async ({ eventId }) => {
      if (isBroken) throw failure;
      handled.push(eventId);
    },
  });
  expect(await receiver.post()).toMatchObject({ status: 500, said: 'handler_failed' });
  expect(receiver.errors).toEqual([failure]);
  isBroken = false;
  expect(await receiver.post({ attempt: 2 })).toMatchObject({ status: 200, said: 'handled' });
  expect(await receiver.post({ attempt: 3 })).toMatchObject({ status: 200, said: 'duplicate' });
  expect(handled).toHaveLength(1);
});

/** A promise that the test resolves. */
function createSignal() {
  let resolve = () => {};
  const given = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { given, give: () => resolve() };
}

test('a duplicate that arrives during handling is deferred, never confirmed', async () => {
  const [begun, finish] = [createSignal(), createSignal()];
  let calls = 0;
  const receiver = createReceiver({
    onEvent: () => {
      calls += 1;
      begun.give();
      return finish.given;
    },
  });
  const first = receiver.post();
  await begun.given;
  const others = await Promise.all([2, 3, 4].map((attempt) => receiver.post({ attempt })));
  for (const answer of others) {
    expect(answer).toMatchObject({ status: 503, said: 'in_progress', headers: { 'retry-after': '5' } });
  }
  finish.give();
  expect(await first).toMatchObject({ status: 200, said: 'handled' });
  expect(await receiver.post({ attempt: 5 })).toMatchObject({ status: 200, said: 'duplicate' });
  expect(calls).toBe(1);
});

test('a failing store does not cost an event: it is sent again', async () => {
  const away = new Error('the store is away');
  const receiver = createReceiver({ store: { claim: () => Promise.reject(away) } });
  expect(await receiver.post()).toMatchObject({ status: 503, said: 'store_unavailable' });
  expect(receiver.errors).toEqual([away]);
  expect(receiver.handled).toEqual([]);
});

function storeThatFailsTo(step: 'confirm' | 'release', error: Error): EventIdStore {
  const steps = { confirm: async () => undefined, release: async () => undefined };
  return { claim: async () => ({ status: 'claimed', ...steps, [step]: () => Promise.reject(error) }) };
}

test('a handled event is not requested again when the confirmation fails', async () => {
  const away = new Error('the store is away');
  const receiver = createReceiver({ store: storeThatFailsTo('confirm', away) });
  expect(await receiver.post()).toMatchObject({ status: 200, said: 'handled' });
  expect(receiver.errors).toEqual([away]);
});

test('both failures are reported when the handler and the release of the claim fail', async () => {
  const [failure, away] = [new Error('the handler'), new Error('the store is away')];
  const onEvent = () => Promise.reject(failure);
  const receiver = createReceiver({ store: storeThatFailsTo('release', away), onEvent });
  expect(await receiver.post()).toMatchObject({ status: 500, said: 'handler_failed' });
  expect(receiver.errors).toEqual([failure, away]);
});

test('an onError that throws costs neither the answer nor the claim', async () => {
  let calls = 0;
  const receiver = createReceiver({
    onEvent: () => {
      calls += 1;
      throw new Error('the handler');
    },
    onError: () => {
      throw new Error('the log is full');
    },
  });
  for (const attempt of [1, 2]) expect(await receiver.post({ attempt })).toMatchObject({ status: 500 });
  expect(calls).toBe(2);
});

test.each<[string, DeliveryParts, number, string]>([
  ['another secret', { secret: OLD_SECRET }, 401, 'signature_mismatch'],
  ['an old time', { timestampS: NOW_S - 301 }, 401, 'timestamp_out_of_tolerance'],
  ['a time to come', { timestampS: NOW_S + 301 }, 401, 'timestamp_out_of_tolerance'],
  ['another id', { eventId: 'evt_other' }, 400, 'headers_disagree'],
  ['no JSON', { body: 'x' }, 400, 'body_not_json'],
  ['no event', { body: '{}' }, 400, 'body_not_event'],
  ['a body that is too large', { body: ' '.repeat(1_048_577) }, 413, 'body_too_large'],
])(
  'a delivery with %s is refused, not handled and not reported as an error',
  async (_, parts, status, said) => {
    const receiver = createReceiver();
    expect(await receiver.post(parts)).toMatchObject({ status, said });
    expect(receiver.handled).toEqual([]);
    expect(receiver.errors).toEqual([]);
    // A refused delivery must not claim the event of the genuine one.
    expect(await receiver.post()).toMatchObject({ status: 200, said: 'handled' });
  },
);

test('a delivery without a signed time is refused by default', async () => {
  const { body, headers } = signDelivery();
  const unsigned = { headers: withoutStandardHeaders(headers), rawBody: body };
  const strict = createReceiver();
  expect(await strict.send(unsigned)).toMatchObject({ status: 400, said: 'missing_header' });
  expect(strict.handled).toEqual([]);
  const lenient = createReceiver({ requireSignedTimestamp: false });
  expect(await lenient.send(unsigned)).toMatchObject({ status: 200, said: 'handled' });
});

test('only POST is accepted', async () => {
  const receiver = createReceiver();
  const { body, headers } = signDelivery();
  for (const method of ['GET', 'PUT', 'HEAD', '', 'post']) {
    const answer = await receiver.send({ method, headers, rawBody: body });
    expect(answer).toMatchObject({ status: 405, said: 'method_not_allowed', headers: { allow: 'POST' } });
  }
  expect(receiver.handled).toEqual([]);
});

test('a parsed body is a configuration error: reported, and the event is sent again', async () => {
  const receiver = createReceiver();
  const { headers } = signDelivery();
  const answer = await receiver.send({ headers, rawBody: EVENT as unknown as string });
  expect(answer).toMatchObject({ status: 500, said: 'receiver_failed' });
  expect(receiver.errors).toEqual([expect.any(TypeError)]);
});

test('a WebhookVerificationError of the handler is a failure, not a refusal', async () => {
  const failure = new WebhookVerificationError('signature_mismatch', 'of something else');
  const receiver = createReceiver({ onEvent: () => Promise.reject(failure) });
  expect(await receiver.post()).toMatchObject({ status: 500, said: 'handler_failed' });
});

test('invalid options throw at the start', () => {
  const good: WebhookReceiverOptions = {
    secrets: [SECRET],
    store: createMemoryEventIdStore(),
    onEvent: () => undefined,
    onError: () => undefined,
  };
  expect(() => assertReceiverOptions(good)).not.toThrow();
  for (const name of ['secrets', 'store', 'onEvent', 'onError'] as const) {
    expect(() => assertReceiverOptions({ ...good, [name]: undefined }), name).toThrow(TypeError);
  }
  expect(() => assertReceiverOptions({ ...good, secrets: [''] })).toThrow(TypeError);
});
