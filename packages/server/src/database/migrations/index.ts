import type { Migration } from '../migration.ts';
import { createServiceSettings } from './0001-create-service-settings.ts';
import { createTenancy } from './0002-create-tenancy.ts';
import { createDevices } from './0003-create-devices.ts';
import { createFeed } from './0004-create-feed.ts';
import { createDerivedViews } from './0005-create-derived-views.ts';
import { createSharedLimiter } from './0006-create-shared-limiter.ts';
import { createWebhooks } from './0007-create-webhooks.ts';
import { createJobs } from './0008-create-jobs.ts';
import { createRetention } from './0009-create-retention.ts';
import { createIndicators } from './0010-create-indicators.ts';
import { chainAuditEntries } from './0011-chain-audit-entries.ts';
import { addBoundCredentials } from './0012-add-bound-credentials.ts';
import { replayDeadLetters } from './0013-replay-dead-letters.ts';
import { createAccounts } from './0014-create-accounts.ts';
import { createMembers } from './0015-create-members.ts';
import { createOauth } from './0016-create-oauth.ts';
import { createSignOn } from './0017-create-sign-on.ts';
import { createStatistics } from './0018-create-statistics.ts';
import { createSavedViews } from './0019-create-saved-views.ts';
import { indexLists } from './0020-index-lists.ts';
import { addTriageDetails } from './0022-add-triage-details.ts';
import { indexIndicatorValues } from './0023-index-indicator-values.ts';
import { createNotices } from './0024-create-notices.ts';
import { createDataRequests } from './0025-create-data-requests.ts';
import { boundDataRequests } from './0026-bound-data-requests.ts';
import { createHoldings } from './0027-create-holdings.ts';

/** All migrations from an empty database to the current schema, in order. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-create-service-settings', up: createServiceSettings },
  { name: '0002-create-tenancy', up: createTenancy },
  { name: '0003-create-devices', up: createDevices },
  { name: '0004-create-feed', up: createFeed },
  { name: '0005-create-derived-views', up: createDerivedViews },
  { name: '0006-create-shared-limiter', up: createSharedLimiter },
  { name: '0007-create-webhooks', up: createWebhooks },
  { name: '0008-create-jobs', up: createJobs },
  { name: '0009-create-retention', up: createRetention },
  { name: '0010-create-indicators', up: createIndicators },
  { name: '0011-chain-audit-entries', up: chainAuditEntries },
  { name: '0012-add-bound-credentials', up: addBoundCredentials },
  { name: '0013-replay-dead-letters', up: replayDeadLetters },
  { name: '0014-create-accounts', up: createAccounts },
  { name: '0015-create-members', up: createMembers },
  { name: '0016-create-oauth', up: createOauth },
  { name: '0017-create-sign-on', up: createSignOn },
  { name: '0018-create-statistics', up: createStatistics },
  { name: '0019-create-saved-views', up: createSavedViews },
  { name: '0020-index-lists', up: indexLists },
  { name: '0022-add-triage-details', up: addTriageDetails },
  { name: '0023-index-indicator-values', up: indexIndicatorValues },
  { name: '0024-create-notices', up: createNotices },
  { name: '0025-create-data-requests', up: createDataRequests },
  { name: '0026-bound-data-requests', up: boundDataRequests },
  { name: '0027-create-holdings', up: createHoldings },
];
