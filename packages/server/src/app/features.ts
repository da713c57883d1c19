import { accountsFeature } from '../features/accounts/accounts-feature.ts';
import { alertsFeature } from '../features/alerts/alerts-feature.ts';
import { auditFeature } from '../features/audit/audit-feature.ts';
import { consoleFeature } from '../features/console/console-feature.ts';
import { dataRequestsFeature } from '../features/data-requests/data-requests-feature.ts';
import { devicesFeature } from '../features/devices/devices-feature.ts';
import { eventsFeature } from '../features/events/events-feature.ts';
import type { Feature, SharedParts } from '../features/feature.ts';
import { feedFeature } from '../features/feed/feed-feature.ts';
import { guidanceFeature } from '../features/guidance/guidance-feature.ts';
import { holdingsFeature } from '../features/holdings/holdings-feature.ts';
import { incidentsFeature } from '../features/incidents/incidents-feature.ts';
import { indicatorsFeature } from '../features/indicators/indicators-feature.ts';
import { jobsFeature } from '../features/jobs/jobs-feature.ts';
import { maintenanceFeature } from '../features/maintenance/maintenance-feature.ts';
import { membersFeature } from '../features/members/members-feature.ts';
import { noticesFeature } from '../features/notices/notices-feature.ts';
import { oauthFeature } from '../features/oauth/oauth-feature.ts';
import { policiesFeature } from '../features/policies/policies-feature.ts';
import { scanFeature } from '../features/scan/scan-feature.ts';
import { settingsFeature } from '../features/settings/settings-feature.ts';
import { signOnFeature } from '../features/sign-on/sign-on-feature.ts';
import { statisticsFeature } from '../features/statistics/statistics-feature.ts';
import { statusFeature } from '../features/status/status-feature.ts';
import { threatsFeature } from '../features/threats/threats-feature.ts';
import { tokensFeature } from '../features/tokens/tokens-feature.ts';
import { viewsFeature } from '../features/views/views-feature.ts';
import { webhooksFeature } from '../features/webhooks/webhooks-feature.ts';
import { createAccountTies, createEndAccessOfMember } from './service/account-ties.ts';
import { createHoldings } from './service/create-holdings.ts';
import { createServiceLimiter } from './service/create-limiter.ts';
import { serviceChecks } from './service/service-checks.ts';
import type { Closers, ServiceOptions } from './service/service-options.ts';

export type Features = Awaited<ReturnType<typeof openFeatures>>;

/** Opens the features in the order of their dependencies: each uses those above it, and closes before them. */
export async function openFeatures(shared: SharedParts, options: ServiceOptions, opened: Closers) {
  const all = new FeatureList(opened);
  const limits = all.open(createServiceLimiter(shared));
  const holdings = createHoldings(shared);
  const endAccess = createEndAccessOfMember({ ...shared, holdings });
  const tokens = all.open(tokensFeature(shared));
  const webhooks = all.open(await webhooksFeature(shared));
  const jobs = all.open(jobsFeature(shared, options));
  all.open(dataRequestsFeature(shared));
  const accounts = all.open(
    await accountsFeature(shared, {
      ...options,
      ties: createAccountTies({ ...shared, holdings, endAccess }),
    }),
  );
  const oauth = all.open(oauthFeature(shared, { accounts, holdings }));
  const members = all.open(membersFeature(shared, { accounts, endAccess }));
  all.open(signOnFeature(shared, { accounts, endAccess }));
  all.open(holdingsFeature(shared, holdings));
  const indicators = all.open(await indicatorsFeature(shared));
  const devices = all.open(devicesFeature(shared, indicators));
  const scan = all.open(await scanFeature(shared));
  const events = all.open(eventsFeature(shared, { ...options, devices, webhooks }));
  all.open(feedFeature(shared));
  all.open(threatsFeature(shared));
  all.open(alertsFeature(shared));
  all.open(incidentsFeature(shared));
  all.open(policiesFeature(shared));
  all.open(guidanceFeature(shared));
  all.open(statisticsFeature(shared));
  all.open(auditFeature(shared));
  all.open(settingsFeature(shared));
  all.open(viewsFeature(shared));
  const { status } = all.open(statusFeature(shared, { webhooks, jobs, scan }));
  all.open(maintenanceFeature(shared, all.list));
  // Last: it checks the others.
  all.open(noticesFeature(shared, { accounts, status, checks: serviceChecks(shared, all.list) }));
  return {
    ...{ all: all.list, limits, tokens, webhooks, jobs, oauth, members, scan, events },
    console: consoleFeature(shared, { accounts, folder: options.consoleFolder }),
  };
}

/** The features that are open, and what closes them. */
class FeatureList {
  readonly list: Feature[] = [];
  readonly #opened: Closers;

  constructor(opened: Closers) {
    this.#opened = opened;
  }

  open<F extends Feature>(feature: F): F {
    this.list.push(feature);
    this.#opened.push(
      () => feature.close?.(),
      () => stopLoops([feature]),
    );
    return feature;
  }
}

/** Starts the work beside requests. */
export function startLoops(features: readonly Feature[]): void {
  for (const { loops = [] } of features) for (const loop of loops) loop.start();
}

/** Stops the work beside requests, all at once. */
export async function stopLoops(features: readonly Feature[]): Promise<void> {
  await Promise.all(features.flatMap(({ loops = [] }) => loops.map((loop) => loop.stop())));
}
