import type { Client, Member } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addEndCommand, addGroup, type Call, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { confirmEnding } from './holding-commands.ts';
import { addListCommand } from './list-command.ts';
import { anyOf, choice, createdWithin, ROLES } from './values.ts';

const ARGUMENT = ['<account>', "id of the member's account"] as const;

export function addMemberCommands(program: Command, context: CommandContext): void {
  const members = addGroup(
    program,
    'members',
    'list, change and remove the people of a tenant',
    'tps members list',
    'tps members update acc_0123 --role admin',
  );
  addListCommand(members, context, {
    description: 'list the people of the tenant',
    filters: [anyOf('--role <role>', 'only members with this role', ROLES), ...createdWithin('members')],
    list: (client, query: Parameters<Client['members']['list']>[0]) => client.members.list(query),
    columns: [
      { heading: 'ID', of: (member) => member.account_id },
      { heading: 'NAME', of: (member) => member.name, mayShrink: true },
      { heading: 'EMAIL', of: (member) => member.email, mayShrink: true },
      { heading: 'EMAIL VERIFIED', of: (member) => (member.email_verified ? 'yes' : 'no') },
      { heading: 'ROLE', of: (member) => member.role, isState: true },
      { heading: 'SECOND FACTOR', of: (member) => (member.has_second_factor ? 'yes' : 'no') },
      { heading: 'LAST SEEN', of: (member) => toShortTime(member.last_seen_at) || 'unknown' },
    ],
    examples: [
      'tps members list',
      "tps members list --ndjson | jq -r 'select(.has_second_factor | not) | .email'",
    ],
  });
  addUpdate(members, context);
  addEndCommand(members, context, {
    name: 'remove',
    description: 'remove a member with immediate effect; the account stays',
    argument: ARGUMENT,
    noun: 'member',
    idMember: 'account_id',
    example: 'tps members remove acc_0123',
    confirm: (id, call, { yes }) =>
      confirmEnding(context, call, { root: { owner_id: id }, effect: 'Removing the member', yes }),
    options: [new Option('--delete-sign-on', 'delete single sign-on too, if the member owns it')],
    call: (id, { client, tenant }, { deleteSignOn }) =>
      client.members.remove(id, { ...tenant, ...(deleteSignOn === true && { sign_on: 'delete' }) }),
  });
}

function addUpdate(members: Command, context: CommandContext): void {
  members
    .command('update')
    .description('change the role of a member; a role with fewer scopes ends what the member owns')
    .argument(...ARGUMENT)
    .addOption(choice('--role <role>', 'the new role', ROLES).makeOptionMandatory())
    .addHelpText('after', examples('tps members update acc_0123 --role analyst'))
    .option('--yes', 'do not ask for confirmation')
    .action(async (id: string, flags: { role: Member['role']; yes?: true }, command: Command) => {
      const call = await openCall(context, command);
      const { client, session, tenant } = call;
      const { role, yes } = flags;
      if (!yes && (await isLowered(call, id, role))) {
        await confirmEnding(context, call, { root: { owner_id: id }, effect: 'Changing the role', yes });
      }
      const member = await client.members.update(id, { role, ...tenant });
      await printFields(session, member, [
        ['member', member.account_id],
        ['name', member.name],
        ['email', member.email],
        ['email verified', member.email_verified ? 'yes' : 'no'],
        ['role', member.role],
      ]);
    });
}

async function isLowered({ client, tenant }: Call, id: string, role: Member['role']): Promise<boolean> {
  const before = await client.members.get(id, tenant);
  return ROLES.indexOf(role) < ROLES.indexOf(before.role);
}
