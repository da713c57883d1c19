import { createPublicKey, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ParsedSignature, parseSignatures, verifyContentDigest, verifySignature } from '@tps/signatures';

/** A request whose signatures have all been verified. */
export interface Received {
  readonly path: string;
  readonly credential: string | undefined;
  readonly signatures: readonly ParsedSignature[];
  readonly body: Record<string, unknown>;
}

type Reply = readonly [status: number, body: unknown];

/**
 * A small service on a loopback port that knows devices by their key and refuses, as the real one does, whatever is
 * not signed by it. `onVerified` answers the requests that pass.
 */
export async function startCheckingService(onVerified: (request: Received) => Reply = () => [200, {}]) {
  const received: Received[] = [];
  const keys = new Map<string, KeyObject>();

  const accept = async (request: IncomingMessage): Promise<Reply> => {
    const path = request.url ?? '';
    const bytes = await buffer(request);
    const header = (name: string) => request.headersDistinct[name]?.join(', ');
    const signatures = parseSignatures({ method: request.method ?? '', path, header });
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const announced = typeof body.public_key_b64 === 'string' ? readKey(body.public_key_b64) : undefined;
    const digestHolds = verifyContentDigest(header('content-digest'), bytes);
    const checks = signatures.map((signature) => {
      const isNew = signature.tag === 'tps-register' || signature.label === 'new';
      const key = isNew ? announced : keys.get(signature.keyId);
      return key !== undefined && verifySignature(signature, key);
    });
    if (!digestHolds || (await Promise.all(checks)).includes(false)) {
      return refusal(401, 'invalid_signature', 'The signature does not verify.');
    }
    const verified = { path, credential: header('authorization'), signatures, body };
    received.push(verified);
    const reply = onVerified(verified);
    if (reply[0] < 300 && announced !== undefined && signatures[0] !== undefined) {
      keys.set(signatures[0].keyId, announced);
    }
    return reply;
  };

  const server = createServer((request, response) => {
    accept(request)
      .catch((error: unknown) => refusal(401, 'invalid_signature', String(error)))
      .then((reply) => write(response, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Makes a device known without a request. */
    trust: (deviceId: string, publicKeyB64: string) => keys.set(deviceId, readKey(publicKeyB64)),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export function refusal(status: number, code: string, message: string): Reply {
  return [status, { error: { code, message, status } }];
}

function readKey(publicKeyB64: string): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKeyB64, 'base64'), format: 'der', type: 'spki' });
}

function write(response: ServerResponse, [status, body]: Reply): void {
  const isRedirect = status >= 300 && status < 400;
  response.writeHead(status, { 'x-request-id': 'req_1', ...(isRedirect ? { location: String(body) } : {}) });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
