import { WebhookVerificationError } from '../webhook-verification-error.ts';
import { createBodyCollector } from './body-collector.ts';

/** The part of a `node:http` request that the adapters use. Requests of Express have it too. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  on(event: string, listener: (argument: unknown) => void): unknown;
}

/**
 * Reads the body of a `node:http` request. Bytes beyond the limit are discarded, so that the sender can finish and receive
 * the refusal.
 */
export async function readNodeBody(request: NodeRequest, limitBytes: number): Promise<Uint8Array> {
  if (request.readableEnded) {
    throw new TypeError('The body was already read. Mount the webhook handler before any body parser.');
  }
  if (request.destroyed) throw incomplete();
  const collector = createBodyCollector(limitBytes);
  await new Promise<void>((resolve, reject) => {
    request.on('data', (piece) => {
      try {
        if (!(piece instanceof Uint8Array))
          throw new TypeError('The body must be read as bytes, without setEncoding.');
        collector.add(piece);
      } catch (error) {
        reject(error);
      }
    });
    request.on('end', () => resolve());
    request.on('close', () => reject(incomplete()));
  });
  return collector.toBytes();
}

function incomplete(): WebhookVerificationError {
  return new WebhookVerificationError('body_incomplete', 'The body ended early.');
}
