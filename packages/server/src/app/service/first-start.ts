import { SCOPES } from '@tps/contract';
import { type Database, type Queries, settingsStore } from '../../database/index.ts';
import type { InvitationService } from '../../features/members/invitations/invitation-service.ts';
import { tenantStore } from '../../features/tenants/index.ts';
import type { TenantService } from '../../features/tenants/tenant-service.ts';
import type { TokenService } from '../../features/tokens/token-service.ts';
import type { Logger } from '../../platform/logger.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

const SETTING = 'first_start_done';

/** Does by hand what the first start does. The shell passes the id of the new tenant on. */
const BY_HAND = 'tps tokens create --store --tenant "$(tps tenants create live)" --name "first tenant admin"';

/** What the first start creates. The store keeps only hashes of the credentials and of the link. */
export interface FirstStart {
  readonly baseUrl: string;
  readonly tenantId: TenantId;
  /** Makes a person the first admin of the tenant. */
  readonly adminLink: string;
  readonly operatorCredential: string;
  readonly adminCredential: string;
}

/** Where the first credentials go. */
export interface FirstCredentialsOutlet {
  /** Makes them readable, before they are committed, so that a kill loses none. @throws Error if it cannot */
  publish(first: FirstStart): void;
  /** They are committed. */
  confirm(): void;
  /** They were not committed, and never will be. */
  withdraw(): void;
}

interface FirstStartParts {
  readonly database: Database;
  readonly tenants: TenantService;
  readonly tokens: TokenService;
  readonly invitations: InvitationService;
  readonly outlet: FirstCredentialsOutlet;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly logger: Logger;
}

/** The outlet cannot take the credentials, so there must be none. */
class UnpublishedError extends Error {}

/**
 * On an empty store, creates a tenant, the link of its first admin, and the first two credentials. In one transaction, so that of two nodes that
 * start together only one does it. Does nothing if it was done before, or if tenants were created on the command line.
 * If the outlet cannot take the credentials, creates nothing and logs the command that does it by hand.
 */
export async function runFirstStart(parts: FirstStartParts): Promise<void> {
  const { database, outlet, logger } = parts;
  if ((await settingsStore.find(database.read, SETTING)) !== undefined) return;
  let isPublished = false;
  try {
    await database.transaction(async (tx) => {
      const first = await create(tx, parts);
      if (!first) return;
      publish(outlet, first);
      isPublished = true;
    });
  } catch (error) {
    if (error instanceof UnpublishedError) {
      logger.warn(
        { err: error.cause, command: BY_HAND },
        'first credentials not created: their file cannot be written',
      );
      return;
    }
    if (!isPublished) throw error;
    if (!(await mayBeCommitted(database))) {
      outlet.withdraw();
      throw error;
    }
  }
  if (isPublished) outlet.confirm();
}

async function create(tx: Queries, parts: FirstStartParts): Promise<FirstStart | undefined> {
  const { tenants, tokens, invitations, baseUrl, authUrl } = parts;
  if (!(await settingsStore.create(tx, SETTING, 'yes'))) return undefined;
  if ((await tenantStore.list(tx)).length > 0) return undefined;
  const { tenantId, environment } = await tenants.create(tx, { name: 'live', environment: 'live' });
  const shared = { environment, scopes: SCOPES, expiresAtMs: null };
  const operator = await tokens.createFromCommandLine(tx, {
    ...shared,
    tenantId: null,
    name: 'first operator',
  });
  const admin = await tokens.createFromCommandLine(tx, { ...shared, tenantId, name: 'first tenant admin' });
  const { link } = await invitations.createAdminLink(tx, { tenantId, authUrl });
  return {
    baseUrl,
    tenantId,
    adminLink: link.reveal(),
    operatorCredential: operator.credential.reveal(),
    adminCredential: admin.credential.reveal(),
  };
}

function publish(outlet: FirstCredentialsOutlet, first: FirstStart): void {
  try {
    outlet.publish(first);
  } catch (cause) {
    throw new UnpublishedError('the first credentials have no place', { cause });
  }
}

/** A failed commit on SQLite changed nothing. On PostgreSQL, only its response may have been lost. */
async function mayBeCommitted(database: Database): Promise<boolean> {
  if (database.engine === 'sqlite') return false;
  try {
    return await database.transaction(async (tx) => {
      // Waits until the failed transaction has ended, if the server still works on it.
      if (!(await settingsStore.create(tx, SETTING, 'yes'))) return true;
      await settingsStore.remove(tx, SETTING);
      return false;
    });
  } catch {
    return true;
  }
}
