import { createPublicKey, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  CREATED_MAX_AGE_SECONDS,
  CREATED_MAX_AHEAD_SECONDS,
  type ParsedSignature,
  parseSignatures,
  verifyContentDigest,
  verifySignature,
} from '@tps/signatures';

/** A request whose signatures were all verified. A GET request has none. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly credential: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly signatures: readonly ParsedSignature[];
  readonly body: Record<string, unknown>;
}

/** `disconnect` closes the connection without an answer, `silence` leaves it open without one. */
export type Reply =
  | readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]
  | 'disconnect'
  | 'silence';

/**
 * A small service on a loopback port. Like the real one, it knows devices by their key and refuses requests that are not
 * signed with it. `onVerified` answers the verified requests.
 */
export async function startCheckingService(
  onVerified: (request: ReceivedRequest) => Reply = () => [200, {}],
) {
  const received: ReceivedRequest[] = [];
  const keys = new Map<string, KeyObject>();
  /** Tests may set it. */
  const clock = { nowMs: Date.now };

  const accept = async (request: IncomingMessage): Promise<Reply> => {
    const { url: path = '', method = '' } = request;
    const bytes = await buffer(request);
    const header = (name: string) => request.headersDistinct[name]?.join(', ');
    const credential = header('authorization');
    const ifNoneMatch = header('if-none-match');
    if (method === 'GET') {
      const read = { method, path, credential, ifNoneMatch, signatures: [], body: {} };
      received.push(read);
      return onVerified(read);
    }
    const signatures = parseSignatures({ method, path, header });
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const announced = typeof body.public_key_b64 === 'string' ? readKey(body.public_key_b64) : undefined;
    const digestHolds = verifyContentDigest(header('content-digest'), bytes);
    const checks = signatures.map((signature) => {
      const isNew = signature.tag === 'tps-register' || signature.label === 'new';
      const key = isNew ? announced : keys.get(signature.keyId);
      return key !== undefined && isInWindow(signature, clock.nowMs()) && verifySignature(signature, key);
    });
    if (!digestHolds || (await Promise.all(checks)).includes(false)) {
      return refusal(401, 'invalid_signature', 'The signature does not verify.');
    }
    const verified = { method, path, credential, ifNoneMatch, signatures, body };
    received.push(verified);
    const reply = onVerified(verified);
    if (
      typeof reply !== 'string' &&
      reply[0] < 300 &&
      announced !== undefined &&
      signatures[0] !== undefined
    ) {
      keys.set(signatures[0].keyId, announced);
    }
    return reply;
  };

  const server = createServer((request, response) => {
    accept(request)
      .catch((error: unknown) => refusal(401, 'invalid_signature', String(error)))
      .then((reply) => {
        if (reply === 'silence') return;
        if (reply === 'disconnect') request.socket.destroy();
        else write(response.setHeader('date', new Date(clock.nowMs()).toUTCString()), reply);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    clock,
    /** Registers a device without a request. */
    trust: (deviceId: string, publicKeyB64: string) => keys.set(deviceId, readKey(publicKeyB64)),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export function refusal(status: number, code: string, message = 'No.'): Exclude<Reply, string> {
  return [status, { error: { code, message, status } }];
}

function readKey(publicKeyB64: string): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKeyB64, 'base64'), format: 'der', type: 'spki' });
}

function isInWindow({ created }: ParsedSignature, nowMs: number): boolean {
  const ageSeconds = nowMs / 1000 - created;
  return ageSeconds <= CREATED_MAX_AGE_SECONDS && ageSeconds >= -CREATED_MAX_AHEAD_SECONDS;
}

function write(response: ServerResponse, [status, body, headers]: Exclude<Reply, string>): void {
  const isRedirect = status > 300 && status < 304;
  const location = isRedirect ? { location: String(body) } : {};
  response.writeHead(status, { 'x-request-id': 'req_1', ...location, ...headers });
  if (status === 304) {
    response.end();
    return;
  }
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
