import { toDerivationSettings } from '../events/index.ts';
import type { Feature, SharedParts } from '../feature.ts';
import type { JobsFeature } from '../jobs/jobs-feature.ts';
import type { ScanFeature } from '../scan/scan-feature.ts';
import type { WebhooksFeature } from '../webhooks/webhooks-feature.ts';
import { StatusReader } from './status-reader.ts';
import { statusRoutes } from './status-routes.ts';

interface Uses {
  readonly webhooks: WebhooksFeature;
  readonly jobs: JobsFeature;
  readonly scan: ScanFeature;
}

/** Whether a tenant is protected, as this process sees it. */
export function statusFeature(shared: SharedParts, { webhooks, jobs, scan }: Uses) {
  const status = new StatusReader({
    ...shared,
    windows: toDerivationSettings(shared.config.derivation).threat,
    push: { secrets: shared.secrets, dispatcher: webhooks.dispatcher },
    worker: jobs.worker,
    analyzer: scan.analyzer,
  });
  return { ...{ status }, routes: statusRoutes(status) } satisfies Feature;
}
