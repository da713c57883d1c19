import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';

/** A reply, or what a receiver does instead of replying. */
export type ReceiverReply =
  /** A status without a body. */
  | number
  | {
      readonly status: number;
      /** For a redirect: `{ status: 302, headers: { location } }`. */
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
    }
  /** Reads the request and never replies. */
  | 'hang'
  /** Closes the connection without a reply. */
  | 'hang up'
  /** Resets the connection (RST) without a reply. */
  | 'reset'
  /** Writes this to the socket unchanged, valid HTTP or not, and nothing after it. HTTP/1.1 only. */
  | { readonly raw: string | Buffer }
  /** Sends header fields one by one without end (HTTP/1.1 only), or the body byte by byte. */
  | { readonly trickle: 'head' | 'body'; readonly everyMs: number; readonly status?: number }
  /** Sends a body of this size, as fast as the client reads it. */
  | { readonly bodyBytes: number; readonly status?: number };

type ReceivedMessage = IncomingMessage | Http2ServerRequest;
type ReplyMessage = ServerResponse | Http2ServerResponse;

/** Sends the reply, or misbehaves as it says. */
export function sendReply(reply: ReceiverReply, incoming: ReceivedMessage, outgoing: ReplyMessage): void {
  if (reply === 'hang') return;
  if (reply === 'hang up' || reply === 'reset') cut(incoming, reply);
  else if (typeof reply === 'number') end(outgoing, { status: reply });
  else if ('raw' in reply) toSocket(incoming).write(reply.raw);
  else if ('bodyBytes' in reply) pour(reply, outgoing);
  else if ('trickle' in reply) trickle(reply, incoming, outgoing);
  else end(outgoing, reply);
}

function end(
  outgoing: ReplyMessage,
  { status, headers, body }: Extract<ReceiverReply, { readonly status: number; readonly body?: unknown }>,
): void {
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) outgoing.setHeader(name, value);
  // In the union of both protocols' types `end` accepts neither a string nor a buffer.
  (outgoing as ServerResponse).end(body);
}

function trickle(
  { trickle: part, everyMs, status = 200 }: Extract<ReceiverReply, { readonly trickle: unknown }>,
  incoming: ReceivedMessage,
  outgoing: ReplyMessage,
): void {
  const socket = part === 'head' ? toSocket(incoming) : undefined;
  if (socket) socket.write(`HTTP/1.1 ${status} OK\r\n`);
  else (outgoing as ServerResponse).writeHead(status);
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    if (socket) socket.write(`x-field-${sent}: more\r\n`);
    else (outgoing as ServerResponse).write('.');
  }, everyMs);
  outgoing.once('close', () => clearInterval(timer));
}

function pour(
  { bodyBytes, status = 200 }: Extract<ReceiverReply, { readonly bodyBytes: number }>,
  outgoing: ReplyMessage,
): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = bodyBytes;
  (outgoing as ServerResponse).writeHead(status);
  const pump = () => {
    while (left > 0 && !outgoing.destroyed) {
      left -= chunk.length;
      if (!(outgoing as ServerResponse).write(chunk)) return void outgoing.once('drain', pump);
    }
    outgoing.end();
  };
  pump();
}

/** Resets only plain HTTP; with TLS and HTTP/2 it closes the connection. */
function cut(incoming: ReceivedMessage, how: 'hang up' | 'reset'): void {
  if ('stream' in incoming) incoming.stream.session?.destroy();
  else if (how === 'reset' && !('encrypted' in incoming.socket)) incoming.socket.resetAndDestroy();
  else incoming.socket.destroy();
}

function toSocket(incoming: ReceivedMessage): Socket {
  if ('stream' in incoming) throw new Error('This reply requires HTTP/1.1.');
  return incoming.socket;
}
