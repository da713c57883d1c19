import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryEventIdStore, nodeWebhookListener, type VerifiedWebhook } from '@tps/client';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** A delivery that was rejected or skipped, and why. */
export interface RejectedDelivery {
  readonly code: string;
  readonly message: string;
}

export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

interface ReceiverOptions {
  readonly secret: string;
  readonly port: number;
  readonly onEvent: (delivery: VerifiedWebhook) => Promise<void>;
  /** Called for each rejected delivery, and for each repeated one (`duplicate`). */
  readonly onRejected: (rejected: RejectedDelivery) => void;
}

/** Receives deliveries on this machine only. Port 0 means any free port. @throws CommandError when the port is in use */
export async function startReceiver({
  secret,
  port,
  onEvent,
  onRejected,
}: ReceiverOptions): Promise<Receiver> {
  const listen = createListener({
    secrets: [secret],
    store: createMemoryEventIdStore(),
    onEvent,
    onError: (error) =>
      onRejected({ code: 'not_printed', message: error instanceof Error ? error.message : String(error) }),
  });
  const server = createServer((request, response) => {
    void listen(request, watchResponse(request, response, onRejected));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portError(port, cause)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @throws CommandError when the secret cannot be one of a webhook */
function createListener(options: Parameters<typeof nodeWebhookListener>[0]) {
  try {
    return nodeWebhookListener(options);
  } catch (error) {
    throw error instanceof TypeError ? usageError(error.message) : error;
  }
}

/** Passes the response on, and reports a rejection. */
function watchResponse(
  request: IncomingMessage,
  response: ServerResponse,
  onRejected: ReceiverOptions['onRejected'],
) {
  let status = 0;
  return {
    writeHead(code: number, headers: Record<string, string>) {
      status = code;
      response.writeHead(code, headers);
    },
    end(body: string) {
      const rejected = status === 200 ? toDuplicate(body) : toRejected(body);
      if (rejected) onRejected(rejected);
      response.end(body);
      // Otherwise a sender of too long a body would keep sending.
      if (status === 413) request.resume();
    },
  };
}

function toDuplicate(body: string): RejectedDelivery | undefined {
  const { status } = JSON.parse(body) as { status: string };
  return status === 'duplicate'
    ? { code: 'duplicate', message: 'The event was delivered before.' }
    : undefined;
}

function toRejected(body: string): RejectedDelivery {
  return (JSON.parse(body) as { error: RejectedDelivery }).error;
}

function portError(port: number, cause: unknown): CommandError {
  return new CommandError(`Cannot listen on port ${port}. Use another --port.`, {
    code: 'port',
    exitCode: EXIT.failure,
    cause,
  });
}
