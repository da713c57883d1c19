import type { Client, SavedView, ViewChange } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addEndCommand, addGroup, type Fields, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';

const ARGUMENT = ['<view>', 'id of the view'] as const;

interface Flags {
  readonly name?: string;
  readonly query?: string;
  readonly share?: true;
  readonly unshare?: true;
}

export function addViewCommands(program: Command, context: CommandContext): void {
  const views = addGroup(
    program,
    'views',
    'keep named states of the pages of the console',
    'tps views list',
    'tps views save --name "High, open" --page incidents --query "severity=high&status=open"',
  );
  addListCommand(views, context, {
    description: 'list the shared views and your own, newest first',
    filters: [new Option('--page <page>', 'only views of this page, such as incidents')],
    list: (client, query: Parameters<Client['views']['list']>[0]) => client.views.list(query),
    columns: [
      { heading: 'ID', of: (view) => view.view_id },
      { heading: 'NAME', of: (view) => view.name, mayShrink: true },
      { heading: 'PAGE', of: (view) => view.page },
      { heading: 'FOR', of: (view) => (view.shared ? 'all' : 'you') },
      { heading: 'QUERY', of: (view) => view.query, mayShrink: true },
    ],
    examples: ['tps views list', 'tps views list --page incidents'],
  });
  addSave(views, context);
  addUpdate(views, context);
  addEndCommand(views, context, {
    name: 'remove',
    description: 'remove a view; a shared one for everyone',
    argument: ARGUMENT,
    noun: 'view',
    idMember: 'view_id',
    example: 'tps views remove vew_0123',
    call: (id, { client, tenant }) => client.views.remove(id, tenant),
  });
}

function addSave(views: Command, context: CommandContext): void {
  views
    .command('save')
    .description('save a view')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--page <page>', 'page that it opens, such as incidents')
    .option('--query <query>', 'query string of the page', '')
    .option('--share', 'show it to everyone in the tenant')
    .addHelpText(
      'after',
      examples('tps views save --name "High, open" --page incidents --query "severity=high&status=open"'),
    )
    .action(async (flags: { name: string; page: string; query: string; share?: true }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const { name, page, query, share = false } = flags;
      const view = await client.views.create({ name, page, query, shared: share, ...tenant });
      await printFields(session, view, toFields(view));
    });
}

function addUpdate(views: Command, context: CommandContext): void {
  views
    .command('update')
    .description('change a view')
    .argument(...ARGUMENT)
    .option('--name <name>', 'display name')
    .option('--query <query>', 'query string of the page')
    .option('--share', 'show it to everyone in the tenant')
    .option('--unshare', 'keep it for yourself')
    .addHelpText('after', examples('tps views update vew_0123 --name "High" --share'))
    .action(async (id: string, flags: Flags, command: Command) => {
      const change = toChange(flags);
      if (Object.keys(change).length === 0)
        throw usageError('Nothing to change. See: tps views update --help');
      const { client, session, tenant } = await openCall(context, command);
      const view = await client.views.update(id, { ...change, ...tenant });
      await printFields(session, view, toFields(view));
    });
}

function toChange({ name, query, share, unshare }: Flags): ViewChange {
  if (share && unshare) throw usageError('--share and --unshare cannot be combined.');
  return {
    ...(name === undefined ? {} : { name }),
    ...(query === undefined ? {} : { query }),
    ...(share || unshare ? { shared: share === true } : {}),
  };
}

function toFields(view: SavedView): Fields {
  return [
    ['view', view.view_id],
    ['name', view.name],
    ['page', view.page],
    ['query', view.query],
    ['for', view.shared ? 'everyone in the tenant' : 'you'],
    ['owner', `${view.owner.type} ${view.owner.id}`],
    ['changed', toShortTime(view.updated_at)],
  ];
}
