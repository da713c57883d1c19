import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type TLSSocket, Server as TlsServer } from 'node:tls';
import type { Logger } from '../../logger.ts';
import { peerKey } from '../../rate-limit/peer-key.ts';
import { Connection, type ConnectionDeadlines, type ConnectionPhase } from './connection.ts';

export interface ConnectionLimits {
  readonly total: number;
  /** Per address, or per IPv6 /64. */
  readonly perAddress: number;
}

/** Why the service ended or refused a connection: the deadline that passed, or the limit that was reached. */
export type ConnectionEnd = ConnectionPhase | 'replaced' | 'refused_address' | 'refused_total';

/** How often deadlines are checked, at most. */
const MAX_CHECK_EVERY_MS = 1_000;
const MIN_CHECK_EVERY_MS = 50;
const LOG_EVERY_MS = 60_000;

interface Peer {
  readonly idle: Set<Connection>;
  open: number;
}

/**
 * Limits the connections of a server in number and time, from the moment each is accepted: before TLS, HTTP and
 * authentication. A connection whose client does not do its part in time is destroyed. Over a limit, the connection
 * that has been idle for the longest time makes room; if none is idle, the new one is closed at once, without a
 * response.
 */
export class ConnectionGuard {
  readonly #options: GuardOptions;
  /** By both ends, which a TLS stream has in common with its socket. */
  readonly #open = new Map<string, Connection>();
  readonly #byStream = new WeakMap<Socket, Connection>();
  /** Longest idle first. May contain connections on which a request has begun since. */
  readonly #idle = new Set<Connection>();
  readonly #peers = new Map<string, Peer>();
  readonly #refused = { count: 0, loggedAtMs: Number.NEGATIVE_INFINITY, peer: '' };

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Guards a server that does not listen yet. Call it after everything else has added its listeners. */
  attach(server: Server): void {
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    const isTls = server instanceof TlsServer;
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (!this.#admit(socket, isTls)) return;
      for (const listener of listeners) listener.call(server, socket);
    });
    server.prependListener('secureConnection', (stream: TLSSocket) => this.#secure(stream));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#track(request, response),
    );
    const { handshakeMs, headerMs, idleMs, transferMs, closeMs } = this.#options.deadlines;
    const shortestMs = Math.min(handshakeMs, headerMs, idleMs, transferMs, closeMs);
    const everyMs = Math.max(MIN_CHECK_EVERY_MS, Math.min(MAX_CHECK_EVERY_MS, shortestMs / 4));
    const timer = setInterval(() => this.#check(performance.now()), everyMs);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Ends every connection now, also those whose TLS handshake has not ended, which HTTP does not know. */
  destroyAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #admit(socket: Socket, isTls: boolean): boolean {
    const { limits } = this.#options;
    // Undefined when the client is gone already.
    if (socket.remoteAddress === undefined) return this.#refuse(socket);
    const key = peerKey({
      socketAddress: socket.remoteAddress,
      forwardedFor: undefined,
      realIp: undefined,
      trustProxy: false,
    });
    const peer = this.#peers.get(key) ?? { idle: new Set(), open: 0 };
    if (peer.open >= limits.perAddress && !this.#replace(peer.idle)) {
      return this.#refuse(socket, 'refused_address', key);
    }
    if (this.#open.size >= limits.total && !this.#replace(this.#idle)) {
      return this.#refuse(socket, 'refused_total', key);
    }
    const connection = new Connection({ peer: key, socket, isTls, nowMs: performance.now() });
    const ends = endsOf(socket);
    this.#open.set(ends, connection);
    this.#byStream.set(socket, connection);
    // The peer may have been removed together with its last connection, which made room for this one.
    this.#peers.set(key, peer);
    peer.open += 1;
    this.#fileIdle(connection);
    socket.once('close', () => this.#remove(ends, connection));
    return true;
  }

  #refuse(socket: Socket, reason?: 'refused_address' | 'refused_total', peer = ''): false {
    socket.destroy();
    if (!reason) return false;
    this.#options.onEnd(reason, peer);
    this.#refused.count += 1;
    this.#refused.peer = peer;
    return false;
  }

  /** Ends the connection that has been idle for the longest time. Returns whether there was one. */
  #replace(idle: Set<Connection>): boolean {
    for (const connection of idle) {
      if (!connection.isIdle()) {
        this.#unfile(connection);
        continue;
      }
      this.#remove(endsOf(connection.socket), connection);
      this.#end(connection, 'replaced');
      return true;
    }
    return false;
  }

  #remove(ends: string, connection: Connection): void {
    if (this.#open.get(ends) !== connection) return;
    this.#open.delete(ends);
    this.#unfile(connection);
    const peer = this.#peers.get(connection.peer);
    if (!peer) return;
    peer.open -= 1;
    if (peer.open === 0) this.#peers.delete(connection.peer);
  }

  #secure(stream: TLSSocket): void {
    const connection = this.#open.get(endsOf(stream));
    if (!connection) return;
    connection.secure(stream);
    this.#byStream.set(stream, connection);
  }

  #track(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#byStream.get(request.socket);
    if (!connection) return;
    this.#unfile(connection);
    connection.begin(request, response);
    response.once('close', () => {
      connection.forgetCompleted();
      this.#fileIdle(connection);
    });
  }

  #fileIdle(connection: Connection): void {
    const peer = this.#peers.get(connection.peer);
    if (!peer || connection.socket.destroyed || !connection.isIdle()) return;
    this.#idle.add(connection);
    peer.idle.add(connection);
  }

  #unfile(connection: Connection): void {
    this.#idle.delete(connection);
    this.#peers.get(connection.peer)?.idle.delete(connection);
  }

  #check(nowMs: number): void {
    for (const connection of this.#open.values()) {
      const phase = connection.lateIn(this.#options.deadlines, nowMs);
      if (phase) this.#end(connection, phase);
      else this.#fileIdle(connection);
    }
    this.#logRefusals(nowMs);
  }

  #end(connection: Connection, reason: ConnectionEnd): void {
    this.#options.onEnd(reason, connection.peer);
    const { stream, socket } = connection;
    const isHeard = reason === 'header' && !connection.isIdle();
    if (isHeard) this.#options.answerLate(stream);
    else socket.destroy();
  }

  #logRefusals(nowMs: number): void {
    const refused = this.#refused;
    if (refused.count === 0 || nowMs - refused.loggedAtMs < LOG_EVERY_MS) return;
    const { total, perAddress } = this.#options.limits;
    this.#options.logger.warn(
      { refused: refused.count, lastAddress: refused.peer, open: this.open, total, perAddress },
      'connections refused',
    );
    Object.assign(refused, { count: 0, loggedAtMs: nowMs });
  }
}

export interface GuardOptions {
  readonly deadlines: ConnectionDeadlines;
  readonly limits: ConnectionLimits;
  readonly logger: Logger;
  /** Called for each connection that the service ends or refuses, with the key of its address. */
  readonly onEnd: (reason: ConnectionEnd, peer: string) => void;
  /** Responds to a request whose header is late, and ends the connection. */
  readonly answerLate: (stream: Socket) => void;
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
