import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  /** From the last byte of the request to the last byte of the answer. */
  readonly tookMs: number;
}

/** For how long a stream is read. */
const STREAM_MS = 1_000;

/** A request to send as it is, also in ways that no client would. */
export interface RawRequest {
  /** Default: POST. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Creates the bytes of a request once, so that sending megabytes costs this process little. */
export function toRawPost(
  { baseUrl, credential }: { baseUrl: string; credential: string },
  { method = 'POST', path, headers = {}, body }: RawRequest,
): Buffer {
  const { host } = new URL(baseUrl);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${credential}`,
    ...(body ? ['content-type: application/json', `content-length: ${body.length}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), ...(body ? [body] : [])]);
}

/** Sends the bytes of a request on a new connection. */
export async function sendRaw(baseUrl: string, request: Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    // A stream has no end by itself.
    if (chunks.length === 0 && chunk.includes('content-type: text/event-stream')) {
      setTimeout(() => socket.destroy(), STREAM_MS);
    }
    chunks.push(chunk);
  });
  const closed = once(socket, 'close');
  let sentAt = performance.now();
  socket.write(request, () => {
    sentAt = performance.now();
  });
  await closed;
  const [headers = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  return {
    status: Number(headers.split(' ')[1]),
    headers: headers.toLowerCase(),
    body: rest.join('\r\n\r\n'),
    tookMs: performance.now() - sentAt,
  };
}
