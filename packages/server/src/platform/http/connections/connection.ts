import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may wait for its client. A transfer gets more time for every byte it moves. */
export interface ConnectionDeadlines {
  /** For the TLS handshake. */
  readonly handshakeMs: number;
  /** For the line and header of a request; for the first one, from the moment the connection is open. */
  readonly headerMs: number;
  /** Between two requests. */
  readonly idleMs: number;
  /** For a body to arrive, and for a response to be read. */
  readonly transferMs: number;
  /** The rate at which bytes prolong `transferMs`. */
  readonly transferBytesPerSecond: number;
  /** For the client to close its half, once the service has closed the other. */
  readonly closeMs: number;
}

/** What a connection is waiting for. In `handling` it waits for the service, which has its own time limits. */
export type ConnectionPhase = 'handshake' | 'header' | 'body' | 'handling' | 'answer' | 'idle' | 'close';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly writtenBefore: number;
}

/** How much of a body the service reads, and discards, after its response: more than that of any request it accepts. */
export const MAX_DISCARDED_BYTES = 64 * 2 ** 20;

/** An accepted connection and the requests on it. Its phase follows from the state of the sockets; it is not stored. */
export class Connection {
  /** The address, or IPv6 network, under which it is counted. */
  readonly peer: string;
  readonly socket: Socket;
  /** Pipelined requests follow each other: only the last can still arrive, only the first can be answered. */
  readonly #exchanges: Exchange[] = [];
  /** The stream that carries HTTP: the socket itself, or the TLS stream over it. */
  #stream: Socket | undefined;
  #requests = 0;
  /** Bytes received when the last request was complete. */
  #readBefore = 0;
  #seen: { phase: ConnectionPhase; requests: number; sinceMs: number; read: number };

  constructor(options: { peer: string; socket: Socket; isTls: boolean; nowMs: number }) {
    const { peer, socket, isTls, nowMs } = options;
    this.peer = peer;
    this.socket = socket;
    if (!isTls) this.#stream = socket;
    this.#seen = { phase: isTls ? 'handshake' : 'header', requests: 0, sinceMs: nowMs, read: 0 };
  }

  get stream(): Socket {
    return this.#stream ?? this.socket;
  }

  /** Records that the TLS handshake is complete. */
  secure(stream: Socket): void {
    this.#stream = stream;
    this.#readBefore = stream.bytesRead;
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#requests += 1;
    this.#exchanges.push({ request, response, writtenBefore: this.stream.bytesWritten });
  }

  /** Forgets the requests that are over, so that a busy connection keeps none of them in memory. */
  forgetCompleted(): void {
    for (;;) {
      const [first] = this.#exchanges;
      if (!first?.response.writableFinished || !first.request.complete) return;
      this.#exchanges.shift();
      if (this.#exchanges.length === 0) this.#readBefore = this.stream.bytesRead;
    }
  }

  /** Returns whether nothing is lost when it ends: no byte of a request has arrived, or the service has closed it. */
  isIdle(): boolean {
    const phase = this.#phase();
    if (phase === 'handshake' || phase === 'header') return this.stream.bytesRead <= this.#readBefore;
    return phase === 'idle' || phase === 'close';
  }

  /** Returns the phase whose deadline has passed; undefined while there is time. */
  lateIn(deadlines: ConnectionDeadlines, nowMs: number): ConnectionPhase | undefined {
    this.forgetCompleted();
    const phase = this.#phase();
    const { stream } = this;
    if (phase !== this.#seen.phase || this.#requests !== this.#seen.requests) {
      this.#seen = { phase, requests: this.#requests, sinceMs: nowMs, read: stream.bytesRead };
    }
    const isOver = phase === 'close' && stream.bytesRead - this.#seen.read > MAX_DISCARDED_BYTES;
    return isOver || nowMs - this.#seen.sinceMs > this.#allowedMs(phase, deadlines) ? phase : undefined;
  }

  #phase(): ConnectionPhase {
    if (this.stream.writableEnded || this.socket.writableEnded) return 'close';
    if (!this.#stream) return 'handshake';
    const last = this.#exchanges.at(-1);
    // After the response, the rest of a body is only discarded.
    if (last && !last.request.complete) return last.response.writableEnded ? 'close' : 'body';
    const first = this.#exchanges[0];
    if (first) return first.response.writableEnded ? 'answer' : 'handling';
    return this.#requests === 0 || this.#stream.bytesRead > this.#readBefore ? 'header' : 'idle';
  }

  #allowedMs(phase: ConnectionPhase, deadlines: ConnectionDeadlines): number {
    const { stream } = this;
    const transferMs = (bytes: number) =>
      deadlines.transferMs + (bytes * 1000) / deadlines.transferBytesPerSecond;
    switch (phase) {
      case 'body':
        return transferMs(stream.bytesRead - this.#seen.read);
      case 'answer':
        return transferMs(stream.bytesWritten - (this.#exchanges[0]?.writtenBefore ?? 0));
      case 'handling':
        return Number.POSITIVE_INFINITY;
      default:
        return deadlines[`${phase}Ms`];
    }
  }
}
