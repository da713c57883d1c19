import { randomBytes } from 'node:crypto';
import type { LoadClientCalls } from '../load/load-client.ts';
import type { CallableProcess } from '../process-calls.ts';
import type { Recorder } from '../recorder.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import type { BenchStores } from '../stores/bench-store.ts';
import type { BenchTenant } from '../stores/make-tenants.ts';
import type { ReceiverCalls } from './receivers.ts';
import type { WebhookBenchOptions } from './webhook-options.ts';

/** What every measurement of deliveries needs. */
export interface WebhookBench {
  readonly options: WebhookBenchOptions;
  readonly recorder: Recorder;
  readonly stores: BenchStores;
  readonly client: CallableProcess<LoadClientCalls>;
  readonly receivers: CallableProcess<ReceiverCalls>;
  /** The same at each start, as the store is. */
  readonly masterKey: string;
}

/** Devices that send. Few, for registering them is not what is measured. */
export const DEVICES = 20;

/** Starts the service as one would to try webhooks out: with a key to seal secrets, and leave to call this machine. */
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
