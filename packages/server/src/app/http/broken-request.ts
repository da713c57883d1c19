import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorCode } from '@tps/contract';
import { createRequestId } from '../../platform/http/request-id.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { securityHeaders } from './security-headers.ts';
import { toErrorBody } from './send-error.ts';

/** Responds to malformed HTTP, and closes the connection: there is no request to continue with. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  endWith(socket, { code: 'invalid_parameter', message: 'The request is not well-formed HTTP' });
}

/** Responds to a header that takes too long. What arrives after that is not read, so it is not processed either. */
export function answerLateRequest(socket: Socket): void {
  endWith(socket, { code: 'invalid_parameter', message: 'The request took too long to arrive' });
  socket.destroySoon();
}

/** Responds to plain HTTP on the TLS port. It is never redirected: what was sent in the clear is already exposed. */
export function answerPlaintext(socket: Socket): void {
  endWith(socket, { code: 'plaintext_rejected', message: 'This port speaks TLS only; use https' });
}

function endWith(socket: Socket, { code, message }: { code: ErrorCode; message: string }): void {
  const status = ERROR_STATUS[code];
  const body = JSON.stringify(toErrorBody(new ServiceError(code, message)));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${createRequestId()}`,
    'Cache-Control: no-store',
    ...Object.entries(securityHeaders({ isTls: 'encrypted' in socket })).map((pair) => pair.join(': ')),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
