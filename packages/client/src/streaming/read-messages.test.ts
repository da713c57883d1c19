import { expect, test } from 'vitest';
import { readMessages } from './read-messages.ts';

function bodyOf(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

async function read(...chunks: readonly string[]) {
  const messages = [];
  for await (const { id, event, data } of readMessages(bodyOf(...chunks), 1_000))
    messages.push([id, event, data]);
  return messages;
}

test.each([
  ['a line feed', '\n'],
  ['a carriage return and a line feed', '\r\n'],
  ['a carriage return', '\r'],
])('lines may end with %s', async (_name, end) => {
  const lines = ['retry: 10', 'id: 1', 'event: ready', 'data: {}', '', 'data: a', 'data:b', '', ''];
  expect(await read(lines.join(end))).toEqual([
    ['1', 'ready', '{}'],
    ['1', 'message', 'a\nb'],
  ]);
});

test('a message may arrive in pieces, also within a character', async () => {
  const bytes = new TextEncoder().encode('id: 1\ndata: "ü: ö"\n\ndata: x\n\n');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const data = [];
  for await (const message of readMessages(body, 1_000)) data.push(message.data);
  expect(data).toEqual(['"ü: ö"', 'x']);
});

test('a comment is left out, and an id alone is kept', async () => {
  expect(await read(': heartbeat\nid: 7\n\ndata: x\n\n')).toEqual([
    ['7', 'message', undefined],
    ['7', 'message', 'x'],
  ]);
});

test('a message that the connection cuts off is left out', async () => {
  expect(await read('id: 1\ndata: x\n\nid: 2\ndata: y')).toEqual([['1', 'message', 'x']]);
});

test('silence and a message without an end are errors', async () => {
  const silent = new ReadableStream<Uint8Array>();
  await expect(readMessages(silent, 10).next()).rejects.toMatchObject({ code: 'timed_out' });
  const endless = readMessages(bodyOf(`data: ${'x'.repeat(1_048_576)}`), 1_000);
  await expect(endless.next()).rejects.toMatchObject({ code: 'answer_too_large' });
});
