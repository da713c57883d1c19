import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Indicator, type IndicatorBundle, signBundle } from '@tps/detection/indicators';
import type { ReadQueries } from '../../../database/index.ts';
import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';
import * as indicatorStore from '../indicator-store.ts';
import type { SigningKey } from './bundle-key.ts';
import type { BundleTask } from './bundle-worker.ts';

/** Rows per query. Other requests are answered between two queries. */
const PAGE = 1000;
/** Larger bundles are signed in a worker thread: signing 100,000 indicators takes a second. */
const MAX_SIGNED_INLINE = 1000;
const WORKER_FILE = new URL('./bundle-worker.ts', import.meta.url);

type Head = Omit<IndicatorBundle, 'indicators'> & { readonly tenantId: TenantId };

/** Reads the indicators that apply to a tenant and signs them. Returns the envelope as JSON. */
export async function buildBundle(
  read: ReadQueries,
  head: Head,
  { privateKey }: SigningKey,
): Promise<string> {
  const indicators: Indicator[] = [];
  let signer: Signer | undefined;
  try {
    for await (const some of readAll(read, head)) {
      indicators.push(...some);
      if (!signer && indicators.length <= MAX_SIGNED_INLINE) continue;
      signer ??= startSigner();
      signer.add(indicators.splice(0));
    }
    if (signer) return await signer.sign({ head, privateKey });
    return JSON.stringify(signBundle({ ...head, indicators }, privateKey));
  } finally {
    await signer?.end();
  }
}

type Signer = ReturnType<typeof startSigner>;

function startSigner() {
  const worker = new Worker(WORKER_FILE, { execArgv: ['--conditions=source'] });
  // Listens from the start: an unhandled failure of the worker would end the whole process.
  const answer = once(worker, 'message') as Promise<[string]>;
  answer.catch(() => undefined);
  const post = (task: BundleTask) => worker.postMessage(task);
  return {
    add: (indicators: readonly Indicator[]) => post({ indicators }),
    async sign(task: Extract<BundleTask, { head: unknown }>): Promise<string> {
      post(task);
      return (await answer)[0];
    },
    end: () => worker.terminate(),
  };
}

/** Omits expired indicators. Includes those that become valid later, because devices keep a bundle for a while. */
async function* readAll(read: ReadQueries, { tenantId, generatedAtMs }: Head): AsyncGenerator<Indicator[]> {
  for (const owner of [tenantId, NO_TENANT] as const) {
    let rows: indicatorStore.StoredIndicator[] = [];
    do {
      rows = await indicatorStore.list(read, owner, { after: rows.at(-1), limit: PAGE });
      yield rows
        .map(({ indicator }) => indicator)
        .filter(({ validUntilMs }) => validUntilMs === undefined || validUntilMs > generatedAtMs);
      await setImmediate();
    } while (rows.length === PAGE);
  }
}
