import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { registerTestDevice } from '@tps/testing/device';
import { findFreePort } from '@tps/testing/network';
import { startTestService, type TestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

interface StartedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

/** Returns the service's end of each stream that is opened from now on. */
function watchStreams(): StartedRequest[] {
  const started: StartedRequest[] = [];
  const starts = channel('http.server.request.start');
  const note = (message: unknown) => {
    const one = message as StartedRequest;
    if (one.request.url?.startsWith('/events/stream')) started.push(one);
  };
  starts.subscribe(note);
  onTestFinished(() => void starts.unsubscribe(note));
  return started;
}

async function startService() {
  const bind = `127.0.0.1:${await findFreePort()}`;
  const env = { SERVICE_METRICS_BIND: bind, SERVICE_TRANSFER_TIMEOUT_SECONDS: '600' };
  const service = await startTestService({ env });
  onTestFinished(() => service.stop());
  const lag = async () => {
    const text = await (await fetch(`http://${bind}/metrics`)).text();
    return Number(/^tps_event_stream_lag_events (\d+)$/m.exec(text)?.[1]);
  };
  return { service, lag };
}

/**
 * Opens a stream and takes no byte of it: the system gives more of its memory to a reader that has begun to read. In
 * HTTP/1.0, the body is sent as it is.
 */
function openUnread({ baseUrl }: TestService, credential: string) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`GET /events/stream HTTP/1.0\r\nAuthorization: Bearer ${credential}\r\n\r\n`);
  let text = '';
  socket.setEncoding('utf8');
  return {
    read() {
      socket.on('data', (part) => {
        text += part;
      });
      socket.resume();
    },
    body: () => text.slice(text.indexOf('\r\n\r\n') + 4),
  };
}

/** Largest event that the test sends, as a message. */
const MESSAGE_BYTES = 6_000;
const EVENTS = 1_600;

test('a reader that takes nothing costs 64 KiB and one event, beside the buffer of the system', async () => {
  const { service, lag } = await startService();
  const device = await registerTestDevice(service);
  const opened = watchStreams();
  const stream = openUnread(service, device.tenant.credential);
  await waitUntil(() => opened.length > 0);
  // More than the system's buffers of both ends take. Three bytes for each character.
  const description = '警'.repeat(1_300);
  for (let sent = 0; sent < EVENTS; sent += 400) {
    const events = Array.from({ length: 400 }, () => device.event({ description }));
    expect((await device.post({ events }, { path: '/events/batch' })).status).toBe(200);
  }
  const [{ response, socket } = fail()] = opened;
  // The buffers are full when nothing moves any more.
  let before = 0;
  let unchanged = 0;
  await waitUntil(() => {
    const isSame = socket.bytesWritten === before && response.writableLength > 0;
    unchanged = isSame ? unchanged + 1 : 0;
    before = socket.bytesWritten;
    return unchanged >= 100;
  });
  const read = EVENTS - (await lag());
  const passedOn = socket.bytesWritten - response.writableLength;
  expect(read).toBeLessThan(EVENTS);

  stream.read();
  await waitUntil(() => stream.body().split('\n\n').length > EVENTS + 1);
  const messages = stream.body().split('\n\n');
  // Before the first event: `retry` and `ready`.
  const taken = Buffer.byteLength(messages.slice(0, read + 1).join('\n\n'));
  expect(Buffer.byteLength(messages[1] ?? '')).toBeLessThan(MESSAGE_BYTES);
  expect(taken - passedOn).toBeLessThan(65_536 + MESSAGE_BYTES);
});

function fail(): never {
  throw new Error('the service has no stream');
}
