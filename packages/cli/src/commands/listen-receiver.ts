import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryEventIdStore, nodeWebhookListener, type VerifiedWebhook } from '@tps/client';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** A delivery that was not taken, and why. */
export interface RefusedDelivery {
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
  /** Hears what was refused, and what came again and was left out (`duplicate`). */
  readonly onRefused: (refused: RefusedDelivery) => void;
}

/** Takes deliveries on this machine alone. Port 0 is any that is free. @throws CommandError when the port is taken */
export async function startReceiver({
  secret,
  port,
  onEvent,
  onRefused,
}: ReceiverOptions): Promise<Receiver> {
  const listen = nodeWebhookListener({
    secrets: [secret],
    store: createMemoryEventIdStore(),
    onEvent,
    onError: (error) =>
      onRefused({ code: 'not_printed', message: error instanceof Error ? error.message : String(error) }),
  });
  const server = createServer((request, response) => {
    void listen(request, watchAnswer(request, response, onRefused));
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

/** Passes the answer on, and tells of one that refuses. */
function watchAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  onRefused: ReceiverOptions['onRefused'],
) {
  let status = 0;
  return {
    writeHead(code: number, headers: Record<string, string>) {
      status = code;
      response.writeHead(code, headers);
    },
    end(body: string) {
      const refused = status === 200 ? toDuplicate(body) : toRefused(body);
      if (refused) onRefused(refused);
      response.end(body);
      // Who is refused for its length goes on sending otherwise.
      if (status === 413) request.resume();
    },
  };
}

function toDuplicate(body: string): RefusedDelivery | undefined {
  const { status } = JSON.parse(body) as { status: string };
  return status === 'duplicate'
    ? { code: 'duplicate', message: 'An event came again; it is printed once.' }
    : undefined;
}

function toRefused(body: string): RefusedDelivery {
  return (JSON.parse(body) as { error: RefusedDelivery }).error;
}

function portError(port: number, cause: unknown): CommandError {
  return new CommandError(`Port ${port} cannot be listened on. Give another --port.`, {
    code: 'port',
    exitCode: EXIT.failure,
    cause,
  });
}
