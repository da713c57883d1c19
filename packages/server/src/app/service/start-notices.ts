import type { Database } from '../../database/index.ts';
import { type LoginThrottle, NoticeMailLimit } from '../../features/accounts/index.ts';
import type { RequestDatabase } from '../../features/authority/index.ts';
import { NoticeChannelService } from '../../features/notices/channels/channel-service.ts';
import {
  NoticeDispatcher,
  OperatorOutlet,
  ProtectionWatch,
  ServiceWatch,
} from '../../features/notices/index.ts';
import { noticeRoutes } from '../../features/notices/notice-routes.ts';
import type { StatusReader } from '../../features/status/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Activity } from '../../platform/concurrency/activity.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { type CheckedParts, serviceChecks } from './service-checks.ts';
import type { WebhookDelivery } from './start-webhooks.ts';
import type { OwnSite } from './web-site.ts';

interface NoticeParts extends CheckedParts {
  readonly config: Config;
  readonly database: Database;
  readonly requests: RequestDatabase;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly logger: Logger;
  readonly cursors: CursorCodec;
  readonly push: WebhookDelivery;
  readonly mailer: Mailer;
  readonly throttle: LoginThrottle;
  readonly site: OwnSite;
  readonly status: StatusReader;
}

/** Prepares notices: to the channels of tenants, and to the operator. Nothing is sent before `start`. */
export function prepareNotices(parts: NoticeParts) {
  const { config, database, requests, clock, logger, cursors, push, mailer, throttle, site, status } = parts;
  const { client, secrets } = push;
  const mailLimit = new NoticeMailLimit(throttle);
  const dispatcher = new NoticeDispatcher({
    ...{ database, clock, logger, mailLimit, activity: parts.activity },
    senders: { mailer, client, secrets },
    consoleUrl: () => new URL(site.consolePath, site.url).href,
  });
  const protection = new ProtectionWatch({
    ...{ database, clock, logger },
    statusOf: (tenantId) => status.read(tenantId),
  });
  const { url, mailTo } = config.notices;
  const watch =
    url === undefined && mailTo === undefined
      ? undefined
      : new ServiceWatch({
          ...{ database, clock, logger, checks: serviceChecks(parts), baseUrl: config.urls.baseUrl },
          outlet: new OperatorOutlet({ url, mailTo }, { mailer, client, logger, clock }),
        });
  const channels = new NoticeChannelService({
    ...{ database: requests, clock, secrets, mailLimit, hasMail: mailer.isOn },
    checkTarget: (target) => client.checkTarget(target),
    wake: () => dispatcher.wake(),
  });
  return {
    routes: noticeRoutes({ database: requests, cursors, clock, channels }),
    start() {
      dispatcher.start();
      protection.start();
      watch?.start();
    },
    async stop() {
      await Promise.all([watch?.stop(), protection.stop(), dispatcher.stop()]);
    },
  };
}
