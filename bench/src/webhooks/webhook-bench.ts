import { randomBytes } from 'node:crypto';
import type { LoadClientCalls } from '../load/load-client.ts';
import type { CallableProcess } from '../process-calls.ts';
import type { BenchContext } from '../run-bench.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import type { BenchTenant } from '../stores/create-tenants.ts';
import type { ReceiverCalls } from './receivers.ts';
import type { WebhookOptions } from './webhook-options.ts';

/** What every measurement of deliveries needs. */
export interface WebhookBench extends BenchContext<WebhookOptions> {
  readonly client: CallableProcess<LoadClientCalls>;
  readonly receivers: CallableProcess<ReceiverCalls>;
  /** The same at each start on the same store. */
  readonly masterKey: string;
}

/** Devices that send. Few, because registering them is not measured. */
export const DEVICES = 20;

/** Starts the service with a key that encrypts webhook secrets, and allows it to call receivers on this machine. */
export function startPushingService(url: string, { masterKey }: WebhookBench): Promise<ServiceProcess> {
  return startService(url, {
    SERVICE_SECRET_KEY_B64: masterKey,
    SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
  });
}

/** Registers a webhook for each URL. */
export async function registerWebhooks(
  { baseUrl }: ServiceProcess,
  { credential }: Pick<BenchTenant, 'credential'>,
  urls: readonly string[],
): Promise<void> {
  for (const url of urls) {
    const answer = await fetch(`${baseUrl}/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, secret: `whsec_${randomBytes(32).toString('base64')}` }),
    });
    if (answer.status !== 201)
      throw new Error(`POST /webhooks answered ${answer.status}: ${await answer.text()}`);
  }
}
