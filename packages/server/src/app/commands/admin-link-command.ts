import { type Command, Option } from 'commander';
import { InvitationService } from '../../features/members/invitations/invitation-service.ts';
import { systemClock } from '../../platform/clock.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { withStore } from './with-store.ts';

/** Adds `admin-link`: only access to the store can make the first admin of a tenant, or another one without an admin. */
export function addAdminLinkCommand(program: Command, { env, stdout, stderr }: CommandContext): void {
  program
    .command('admin-link')
    .description('create a link with which a person becomes an admin of a tenant')
    .addOption(new Option('--tenant <id>', 'the tenant').makeOptionMandatory())
    .addOption(jsonOption('tenant_id, invitation_id, link, expires_at'))
    .addHelpText(
      'after',
      `
The link works once, within 24 hours. The person signs in, or creates an account.
The address of the link is SERVICE_AUTH_URL; by default, it follows from SERVICE_BASE_URL or SERVICE_BIND.

Examples:
  tps admin-link --tenant tnt_0123`,
    )
    .action(({ tenant: id, json }: { tenant: string; json?: true }) =>
      withStore(env, async ({ database, tenants, config }) => {
        const { tenantId } = await tenants.get(id);
        const invitations = new InvitationService({ clock: systemClock });
        await database.transaction(async (tx) => {
          const { authUrl } = config.urls;
          const made = await invitations.createAdminLink(tx, { tenantId, authUrl });
          const link = made.link.reveal();
          const expiresAt = toTimestamp(made.expiresAtMs);
          const document = {
            tenant_id: tenantId,
            invitation_id: made.invitationId,
            link,
            expires_at: expiresAt,
          };
          // Before the commit: the store could not show it again.
          if (!(await stdout(json ? toJsonText(document) : link))) {
            throw new Error('The link was not created: the standard output is closed.');
          }
          stderr(`Open it before ${expiresAt}. It works once.`);
        });
      }),
    );
}
