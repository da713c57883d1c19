import type { Client, CreatedInvitation } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addEndCommand, addGroup, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { choice, ROLES, toSeconds } from './values.ts';

/** What the inviting person has to do now. */
const NEXT_STEPS: Readonly<Record<NonNullable<CreatedInvitation['mail']>, string>> = {
  sent: 'sent by mail',
  failed: 'the mail could not be sent: send the link yourself',
  limited: 'too many mails were sent recently: send the link yourself',
  none: 'no mail was sent: send the link yourself',
};

export function addInvitationCommands(program: Command, context: CommandContext): void {
  const invitations = addGroup(
    program,
    'invitations',
    'invite people to a tenant',
    'tps invitations create --role analyst --email kim@example.com',
    'tps invitations revoke inv_0123',
  );
  addListCommand(invitations, context, {
    description: 'list invitations without their links, newest first',
    list: (client, query: Parameters<Client['invitations']['list']>[0]) => client.invitations.list(query),
    columns: [
      { heading: 'ID', of: (invitation) => invitation.invitation_id },
      { heading: 'EMAIL', of: (invitation) => invitation.email ?? 'any', mayShrink: true },
      { heading: 'ROLE', of: (invitation) => invitation.role },
      { heading: 'STATUS', of: (invitation) => invitation.status, isState: true },
      { heading: 'EXPIRES', of: (invitation) => toShortTime(invitation.expires_at) },
      { heading: 'ACCEPTED BY', of: (invitation) => invitation.accepted_by ?? '' },
    ],
    examples: [
      'tps invitations list',
      'tps invitations list --ndjson | jq -r \'select(.status == "pending")\'',
    ],
  });
  addCreate(invitations, context);
  addEndCommand(invitations, context, {
    name: 'revoke',
    description: 'revoke an invitation with immediate effect',
    argument: ['<invitation>', 'id of the invitation'],
    noun: 'invitation',
    idMember: 'invitation_id',
    example: 'tps invitations revoke inv_0123',
    call: (id, { client, tenant }) => client.invitations.revoke(id, tenant),
  });
}

function addCreate(invitations: Command, context: CommandContext): void {
  invitations
    .command('create')
    .description('invite a person and show the link once')
    .addOption(choice('--role <role>', 'the role in the tenant', ROLES).makeOptionMandatory())
    .option('--email <address>', 'the only address that can accept; the link is sent there if mail is set up')
    .option('--expires <period>', 'how long the link works: 24h or 7d, at most 30d (default: 7d)', toSeconds)
    .addHelpText(
      'after',
      `
The first person to open the link joins the tenant, so send it to no one else.
${examples(
  'tps invitations create --role analyst --email kim@example.com',
  'tps invitations create --role viewer --expires 24h --json | jq -r .link',
)}`,
    )
    .action(
      async (
        { role, email, expires }: { role: CreatedInvitation['role']; email?: string; expires?: number },
        command: Command,
      ) => {
        const { client, session, tenant } = await openCall(context, command);
        const created = await client.invitations.create({
          role,
          ...(email === undefined ? {} : { email }),
          ...(expires === undefined ? {} : { expires_in_s: expires }),
          ...tenant,
        });
        await printFields(session, created, [
          ['invitation', created.invitation_id],
          ['role', created.role],
          ['for', created.email ?? 'anyone with the link'],
          ['expires', toShortTime(created.expires_at)],
          ['mail', created.mail && NEXT_STEPS[created.mail]],
          ['link', created.link],
        ]);
      },
    );
}
