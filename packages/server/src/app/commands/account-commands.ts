import { describeHolding } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import type { Database } from '../../database/index.ts';
import {
  type Account,
  accountStore,
  appendAccountEntry,
  createResetLink,
  removeApp,
  setDisabled,
} from '../../features/accounts/index.ts';
import { COMMAND_LINE } from '../../features/audit/index.ts';
import type { Holdings } from '../../features/holdings/index.ts';
import { endAccessInTenants, lockForDeparture, tenantsOf } from '../../features/members/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { toTimestamp } from '../../platform/time.ts';
import { createEndAccessOfMember } from '../service/account-ties.ts';
import { createHoldings } from '../service/create-holdings.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { withStore } from './with-store.ts';

/** The operator passes the link on. */
const LINK_MS = 24 * 3_600_000;

export function addAccountCommands(program: Command, context: CommandContext): void {
  const accounts = program
    .command('accounts')
    .description('help people who cannot sign in, and disable their accounts')
    .addHelpText(
      'after',
      '\nExamples:\n  tps accounts reset-link ann@example.com\n  tps accounts disable ann@example.com',
    );
  addResetLink(accounts, context);
  addRemoveApp(accounts, context);
  addDisable(accounts, context);
  addEnable(accounts, context);
}

function addResetLink(accounts: Command, { env, stdout, stderr }: CommandContext): void {
  accounts
    .command('reset-link')
    .argument('<email>', 'e-mail address of the account')
    .description('create a link with which a person sets a new password')
    .addOption(jsonOption('account_id, email_verified, link, expires_at'))
    .addHelpText(
      'after',
      `
The link works once, within 24 hours, and ends all sessions of the person. A second factor stays.
If the address of the account is not verified, the link verifies it, and everything else that can sign in
to the account ends too. Give the link only to the person to whom the address belongs.
The address of the link is SERVICE_AUTH_URL; by default, it follows from SERVICE_BASE_URL or SERVICE_BIND.

Examples:
  tps accounts reset-link ann@example.com`,
    )
    .action((email: string, { json }: { json?: true }) =>
      withStore(env, async ({ database, config }) => {
        const { accountId, emailVerifiedAtMs } = await getAccount(database, { email, stderr });
        const isVerified = emailVerifiedAtMs !== null;
        await database.transaction(async (tx) => {
          const nowMs = systemClock.now();
          const pageUrl = `${config.urls.authUrl}/reset`;
          const link = await createResetLink(tx, { accountId, pageUrl, nowMs, lifetimeMs: LINK_MS });
          const detail = 'Link for a new password created';
          const entry = { accountId, action: 'account.reset_link', detail, requestId: null };
          await appendAccountEntry(tx, { ...entry, actor: COMMAND_LINE }, nowMs);
          const expiresAt = toTimestamp(nowMs + LINK_MS);
          const account = { account_id: accountId, email_verified: isVerified };
          const document = { ...account, link: link.reveal(), expires_at: expiresAt };
          // Before the commit: the store could not show it again.
          if (!(await stdout(json ? toJsonText(document) : document.link))) {
            throw new Error('The link was not created: the standard output is closed.');
          }
          stderr(`Open it before ${expiresAt}. It works once.`);
        });
      }),
    );
}

function addRemoveApp(accounts: Command, { env, stdout, stderr }: CommandContext): void {
  accounts
    .command('remove-app')
    .argument('<email>', 'e-mail address of the account')
    .description('turn off the authenticator app of a person who has lost it and the recovery codes')
    .addHelpText(
      'after',
      `
The person can then sign in with the password alone. All sessions end. Make sure that the person asks for it.

Examples:
  tps accounts remove-app ann@example.com`,
    )
    .action((email: string) =>
      withStore(env, async ({ database }) => {
        const { accountId } = await getAccount(database, { email, stderr });
        const change = { actor: COMMAND_LINE, nowMs: systemClock.now() };
        const wasOn = await database.transaction((tx) => removeApp(tx, accountId, change));
        const outcome = wasOn ? 'is off' : 'was off already';
        await stdout(`The authenticator app of ${accountId} ${outcome}.`);
      }),
    );
}

function addDisable(accounts: Command, { env, stdout, stderr }: CommandContext): void {
  accounts
    .command('disable')
    .argument('<email>', 'e-mail address of the account')
    .description('end all sessions of a person and what applications may do for them, and refuse sign-ins')
    .addHelpText(
      'after',
      `
What the person owns ends in all tenants: tokens, enrolment secrets, OAuth clients, invitations, webhooks,
notice channels, single sign-on. The command prints what ended. Memberships stay.

Examples:
  tps accounts disable ann@example.com`,
    )
    .action((email: string) =>
      withStore(env, async ({ database }) => {
        const { accountId } = await getAccount(database, { email, stderr });
        const holdings = createHoldings({ database, clock: systemClock });
        const endAccess = createEndAccessOfMember({ database, clock: systemClock, holdings });
        const ending = await listEnding(database, holdings, accountId);
        const { withoutAdmin, awaitEnd } = await database.transaction(
          async (tx) => {
            const nowMs = systemClock.now();
            // First, as every change of an account does.
            await accountStore.findForUpdate(tx, accountId);
            const tenants = await lockForDeparture(tx, accountId);
            // Sessions before tokens, as everything that ends a session.
            await setDisabled(tx, accountId, { isDisabled: true, actor: COMMAND_LINE, nowMs });
            const ended = await endAccessInTenants(tx, accountId, { endAccess, signOn: 'end' });
            return { withoutAdmin: tenants, awaitEnd: ended };
          },
          { repeatable: true },
        );
        await awaitEnd();
        await stdout(`Account ${accountId} is disabled.`);
        for (const line of ending) stderr(`Ended: ${line}`);
        if (withoutAdmin.length > 0) {
          stderr(`No other admin is left in ${withoutAdmin.join(', ')}. Make one with: tps admin-link`);
        }
      }),
    );
}

function addEnable(accounts: Command, { env, stdout, stderr }: CommandContext): void {
  accounts
    .command('enable')
    .argument('<email>', 'e-mail address of the account')
    .description('let a person sign in again')
    .addHelpText('after', '\nExamples:\n  tps accounts enable ann@example.com')
    .action((email: string) =>
      withStore(env, async ({ database }) => {
        const { accountId } = await getAccount(database, { email, stderr });
        const change = { isDisabled: false, actor: COMMAND_LINE, nowMs: systemClock.now() };
        await database.transaction((tx) => setDisabled(tx, accountId, change));
        await stdout(`Account ${accountId} is enabled.`);
      }),
    );
}

async function listEnding(database: Database, holdings: Holdings, accountId: string): Promise<string[]> {
  const lines: string[] = [];
  for (const { tenantId } of await tenantsOf(database.read, accountId)) {
    const ending = await holdings.list(tenantId, { ownerId: accountId });
    lines.push(...ending.map((holding) => `${describeHolding(holding)} in ${tenantId}`));
  }
  return lines;
}

async function getAccount(
  { read }: Database,
  { email, stderr }: { email: string; stderr: CommandContext['stderr'] },
): Promise<Account> {
  const account = await accountStore.findByEmail(read, email);
  if (!account) throw new Error('No account has this e-mail address.');
  if (account.emailVerifiedAtMs === null) {
    stderr('The address is not verified: someone else may have created the account.');
  }
  return account;
}
