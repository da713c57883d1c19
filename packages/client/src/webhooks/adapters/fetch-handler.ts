import { assertReceiverOptions, receiveWebhook, type WebhookReceiverOptions } from '../receive-webhook.ts';
import { WebhookVerificationError } from '../webhook-verification-error.ts';
import { createBodyCollector } from './body-collector.ts';

/**
 * Creates a handler from `Request` to `Response`, for Workers, Deno, Bun and the route handlers of Next.js.
 *
 * @throws TypeError for invalid options
 */
export function fetchWebhookHandler(
  options: WebhookReceiverOptions,
): (request: Request) => Promise<Response> {
  assertReceiverOptions(options);
  return async (request) => {
    const { status, headers, body } = await receiveWebhook(
      {
        method: request.method,
        headers: request.headers,
        rawBody: (limitBytes) => readFetchBody(request, limitBytes),
      },
      options,
    );
    return new Response(body, { status, headers: { ...headers } });
  };
}

/**
 * Creates a handler for Hono: `app.all('/webhooks', honoWebhookHandler({ … }))`.
 *
 * @throws TypeError for invalid options
 */
export function honoWebhookHandler(
  options: WebhookReceiverOptions,
): (context: { readonly req: { readonly raw: Request } }) => Promise<Response> {
  const handle = fetchWebhookHandler(options);
  return (context) => handle(context.req.raw);
}

async function readFetchBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) {
    throw new TypeError('The body was already read. Mount the webhook handler before any body parser.');
  }
  const collector = createBodyCollector(limitBytes);
  const reader = request.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch(() => {
      throw new WebhookVerificationError('body_incomplete', 'The body ended early.');
    });
    if (done) break;
    try {
      collector.add(value);
    } catch (error) {
      // Not awaited: a sender that never ends must not delay the refusal.
      reader.cancel().catch(() => undefined);
      throw error;
    }
  }
  return collector.toBytes();
}
