import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import { NoticeMailLimit } from '../accounts/index.ts';
import type { Feature, Loop, SharedParts } from '../feature.ts';
import type { StatusReader } from '../status/index.ts';
import { NoticeChannelService } from './channels/channel-service.ts';
import { NoticeDispatcher } from './dispatch/notice-dispatcher.ts';
import { noticeRoutes } from './notice-routes.ts';
import { OperatorOutlet } from './operator/operator-outlet.ts';
import type { ServiceCheck } from './operator/service-check.ts';
import { ServiceWatch } from './operator/service-watch.ts';
import { ProtectionWatch } from './protection/protection-watch.ts';
import { purgeNotices } from './purge-notices.ts';

interface Uses {
  readonly accounts: AccountsFeature;
  readonly status: StatusReader;
  /** What the operator is notified of. */
  readonly checks: readonly ServiceCheck[];
}

/** Messages to people: to the channels of tenants, and to the operator. */
export function noticesFeature(shared: SharedParts, { accounts, status, checks }: Uses): Feature {
  const { database, requests, secrets, client, mailer, site } = shared;
  const mailLimit = new NoticeMailLimit(accounts.throttle);
  const dispatcher = new NoticeDispatcher({
    ...{ ...shared, mailLimit },
    senders: { mailer, client, secrets },
    consoleUrl: () => new URL(site.consolePath, site.url).href,
  });
  const protection = new ProtectionWatch({ ...shared, statusOf: (tenantId) => status.read(tenantId) });
  const channels = new NoticeChannelService({
    ...{ ...shared, database: requests, mailLimit, hasMail: mailer.isOn },
    checkTarget: (target) => client.checkTarget(target),
    wake: () => dispatcher.wake(),
  });
  return {
    routes: noticeRoutes({ ...shared, database: requests, channels }),
    loops: [dispatcher, protection, ...operatorLoops(shared, checks)],
    purgeTenant: (tenantId, nowMs) => purgeNotices(database, tenantId, nowMs),
  };
}

/** Without a place for messages to the operator, nothing is checked. */
function operatorLoops(shared: SharedParts, checks: readonly ServiceCheck[]): Loop[] {
  const { notices, urls } = shared.config;
  if (notices.url === undefined && notices.mailTo === undefined) return [];
  const outlet = new OperatorOutlet(notices, shared);
  return [new ServiceWatch({ ...shared, checks, outlet, baseUrl: urls.baseUrl })];
}
