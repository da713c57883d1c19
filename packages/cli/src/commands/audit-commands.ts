import type { Client } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addGroup } from './api-command.ts';
import { AUDIT_COLUMNS } from './audit-columns.ts';
import { addCountsCommand } from './counts-command.ts';
import { addListCommand } from './list-command.ts';
import { ACTOR_TYPES, AUDIT_OUTCOMES, anyOf, createdWithin } from './values.ts';

const FILTERS = () => [
  new Option('--action <action>', 'only entries of this action, such as token.create'),
  anyOf('--actor-type <type>', 'only entries of this kind of actor', ACTOR_TYPES),
  new Option('--actor-id <id>', 'only entries of this person, token or OAuth client'),
  new Option('--resource-type <type>', 'only entries about this kind of object, such as webhook'),
  new Option('--resource-id <id>', 'only entries about this object'),
  anyOf('--outcome <outcome>', 'only entries with this outcome', AUDIT_OUTCOMES),
  ...createdWithin('entries'),
];

export function addAuditCommands(program: Command, context: CommandContext): void {
  const audit = addGroup(
    program,
    'audit',
    'list the audit log: privileged changes and rejected attempts',
    'tps audit list --since 24h',
    'tps audit list --resource-id inc_0123',
  );
  addListCommand(audit, context, {
    description: 'list the audit entries of the tenant, newest first',
    filters: FILTERS(),
    list: (client, query: Parameters<Client['audit']['list']>[0]) => client.audit.list(query),
    columns: AUDIT_COLUMNS,
    examples: [
      'tps audit list --since 24h --outcome denied',
      'tps audit list --actor-id acc_0123 --action token.create,token.roll',
    ],
  });
  addCountsCommand(audit, context, {
    noun: 'audit entries',
    filters: FILTERS(),
    counts: (client, query: Parameters<Client['audit']['counts']>[0]) => client.audit.counts(query),
    examples: ['tps audit counts --since 30d --interval day'],
  });
}
