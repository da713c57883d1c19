import { ACCOUNTS_TABLES } from './accounts.ts';
import { ALERTS_TABLES } from './alerts.ts';
import { AUDIT_TABLES } from './audit.ts';
import { DATA_REQUESTS_TABLES } from './data-requests.ts';
import { DATABASE_TABLES } from './database.ts';
import { DEVICES_TABLES } from './devices.ts';
import { FEED_TABLES } from './feed.ts';
import { HOLDINGS_TABLES } from './holdings.ts';
import { INCIDENTS_TABLES } from './incidents.ts';
import { INDICATORS_TABLES } from './indicators.ts';
import { JOBS_TABLES } from './jobs.ts';
import { MAINTENANCE_TABLES } from './maintenance.ts';
import { MEMBERS_TABLES } from './members.ts';
import { NOTICES_TABLES } from './notices.ts';
import { OAUTH_TABLES } from './oauth.ts';
import { POLICIES_TABLES } from './policies.ts';
import { SCAN_TABLES } from './scan.ts';
import { SIGN_ON_TABLES } from './sign-on.ts';
import { STATISTICS_TABLES } from './statistics.ts';
import type { RowOf } from './table.ts';
import { TENANTS_TABLES } from './tenants.ts';
import { THREATS_TABLES } from './threats.ts';
import { TOKENS_TABLES } from './tokens.ts';
import { VIEWS_TABLES } from './views.ts';
import { WEBHOOKS_TABLES } from './webhooks.ts';

/**
 * The data model. Every key begins with the tenant, but for the tables of the installation itself and of people, who may
 * belong to several tenants.
 *
 * Only the files of its owner write a table. Another feature reads it in a file called `*-read-model.ts`. Three files delete
 * from any table: `maintenance/retention/purge-store.ts` what is past its retention, `tenants/deletion-store.ts` all of a
 * tenant, `data-requests/subject-rows-store.ts` what is kept about a person or a device. `table-owners.test.ts` enforces this.
 *
 * In this order a table comes after those that its rows belong to. A tenant is deleted in the opposite order: its credentials
 * and audit trail late, and the tenant itself last.
 */
export const TABLES = {
  ...TENANTS_TABLES,
  ...DATABASE_TABLES,
  ...AUDIT_TABLES,
  ...TOKENS_TABLES,
  ...ACCOUNTS_TABLES,
  ...MEMBERS_TABLES,
  ...OAUTH_TABLES,
  ...SIGN_ON_TABLES,
  ...HOLDINGS_TABLES,
  ...VIEWS_TABLES,
  ...MAINTENANCE_TABLES,
  ...DATA_REQUESTS_TABLES,
  ...POLICIES_TABLES,
  ...INDICATORS_TABLES,
  ...DEVICES_TABLES,
  ...FEED_TABLES,
  ...STATISTICS_TABLES,
  ...THREATS_TABLES,
  ...ALERTS_TABLES,
  ...INCIDENTS_TABLES,
  ...SCAN_TABLES,
  ...JOBS_TABLES,
  ...NOTICES_TABLES,
  ...WEBHOOKS_TABLES,
};

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** The rows of each table. */
export type Tables = { [Name in TableName]: RowOf<(typeof TABLES)[Name]['columns']> };
export type Row<Name extends TableName> = Tables[Name];
export { DURATION_CLASSES, EVENT_PLATFORMS, INCIDENT_CATEGORIES, STATISTICS_COLUMNS } from './statistics.ts';
export type { Verification } from './table.ts';
