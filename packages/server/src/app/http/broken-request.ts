import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorCode } from '@tps/contract';
import { createRequestId } from '../../platform/http/request-id.ts';
import { peerOf } from '../../platform/rate-limit/peer-key.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { AccessLog } from './access-log.ts';
import { securityHeaders } from './security-headers.ts';
import { toErrorBody } from './send-error.ts';

/** Responses to what is not a request, on connections that then close. */
export interface BrokenRequestAnswers {
  /** Responds to malformed HTTP: there is no request to continue with. */
  broken(error: Error & { code?: string }, socket: Socket): void;
  /** Responds to a header that takes too long. What arrives after that is not read, so it is not processed either. */
  late(socket: Socket): void;
  /** Responds to plain HTTP on the TLS port. It is never redirected: what was sent in the clear is already exposed. */
  plaintext(socket: Socket): void;
}

export function createBrokenRequestAnswers(accessLog: AccessLog | undefined): BrokenRequestAnswers {
  const end = (socket: Socket, code: ErrorCode, message: string) => {
    const requestId = createRequestId();
    const address = addressOf(socket);
    const body = JSON.stringify(toErrorBody(new ServiceError(code, message)));
    socket.end(`${headOf(socket, { code, body, requestId })}\r\n\r\n${body}`);
    accessLog?.write({
      status: ERROR_STATUS[code],
      code,
      bytes: Buffer.byteLength(body),
      requestId,
      address,
    });
  };
  return {
    broken(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else end(socket, 'invalid_parameter', 'The request is not well-formed HTTP');
    },
    late(socket) {
      end(socket, 'invalid_parameter', 'The request took too long to arrive');
      socket.destroySoon();
    },
    plaintext: (socket) => end(socket, 'plaintext_rejected', 'This port accepts TLS only; use https'),
  };
}

function headOf(
  socket: Socket,
  { code, body, requestId }: { code: ErrorCode; body: string; requestId: string },
): string {
  const status = ERROR_STATUS[code];
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    ...Object.entries(securityHeaders({ isTls: 'encrypted' in socket })).map((pair) => pair.join(': ')),
    'Connection: close',
  ].join('\r\n');
}

/** There is no header to read it from: behind a proxy it is the address of the proxy. */
function addressOf(socket: Socket): string {
  return peerOf({ socket, headers: {} }, false);
}
