import type { Client, DeadLetterBulk } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addEndCommand, addGroup, openCall } from './api-command.ts';
import { addBulkCommand } from './bulk-command.ts';
import { addCountsCommand } from './counts-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { choice, createdWithin, DEAD_LETTER_ACTS } from './values.ts';

const FILTERS = () => [
  new Option('--webhook-id <id>', 'only dead letters of this webhook'),
  new Option('--event-id <id>', 'only dead letters of this event'),
  ...createdWithin('dead letters that failed'),
];

/** Adds the commands of the group `webhooks dlq`. */
export function addDeadLetterCommands(webhooks: Command, context: CommandContext): void {
  const dlq = addGroup(webhooks, 'dlq', 'list, replay and remove failed deliveries', 'tps webhooks dlq list');
  addListCommand(dlq, context, {
    description: 'list dead letters, newest first',
    filters: FILTERS(),
    list: (client, query: Parameters<Client['webhooks']['deadLetters']['list']>[0]) =>
      client.webhooks.deadLetters.list(query),
    columns: [
      { heading: 'ID', of: (letter) => letter.entry_id },
      { heading: 'WEBHOOK', of: (letter) => letter.webhook_id },
      { heading: 'EVENT', of: (letter) => letter.event_id },
      { heading: 'FAILED', of: (letter) => toShortTime(letter.failed_at) },
      { heading: 'ATTEMPTS', of: (letter) => String(letter.attempts) },
      { heading: 'ERROR', of: (letter) => letter.last_error, mayShrink: true },
    ],
    examples: ['tps webhooks dlq list --webhook-id whk_0123'],
  });
  addCountsCommand(dlq, context, {
    noun: 'dead letters',
    filters: FILTERS(),
    counts: (client, query: Parameters<Client['webhooks']['deadLetters']['counts']>[0]) =>
      client.webhooks.deadLetters.counts(query),
    examples: ['tps webhooks dlq counts --since 7d'],
  });
  addReplay(dlq, context);
  addBulk(dlq, context);
  addEndCommand(dlq, context, {
    name: 'remove',
    description: 'remove a dead letter without delivering its event',
    argument: ['<entry>', 'id of the dead letter'],
    noun: 'dead letter',
    idMember: 'entry_id',
    example: 'tps webhooks dlq remove dlq_0123',
    call: (id, { client, tenant }) => client.webhooks.deadLetters.remove({ entry_id: id, ...tenant }),
  });
}

function addBulk(dlq: Command, context: CommandContext): void {
  addBulkCommand<DeadLetterBulk['change'], DeadLetterBulk['change']>(dlq, context, {
    description: 'replay or delete several dead letters, each by itself',
    noun: 'dead letters',
    changes: [
      choice('--action <action>', 'what happens to each dead letter', DEAD_LETTER_ACTS).makeOptionMandatory(),
    ],
    toChange: (change) => change,
    isFinal: ({ action }) => action === 'delete',
    counts: (client, filter) => client.webhooks.deadLetters.counts(filter),
    run: (client, request) => client.webhooks.deadLetters.bulkAll(request),
    examples: [
      'tps webhooks dlq bulk --filter webhook_id=whk_0123 --action replay',
      'tps webhooks dlq bulk dlq_0123 dlq_0124 --action delete --yes',
    ],
  });
}

function addReplay(dlq: Command, context: CommandContext): void {
  dlq
    .command('replay')
    .description('deliver a dead letter again, and remove it on success')
    .argument('[entry]', 'id of the dead letter')
    .option('--webhook-id <id>', 'replay the newest dead letter of this webhook')
    .addHelpText(
      'after',
      examples('tps webhooks dlq replay dlq_0123', 'tps webhooks dlq replay --webhook-id whk_0123'),
    )
    .action(async (entry: string | undefined, { webhookId }: { webhookId?: string }, command: Command) => {
      if ((entry === undefined) === (webhookId === undefined))
        throw usageError('Either the id of a dead letter or --webhook-id is required.');
      const { client, session, tenant } = await openCall(context, command);
      const named = entry === undefined ? { webhook_id: webhookId ?? '' } : { entry_id: entry };
      const replay = await client.webhooks.deadLetters.replay({ ...named, ...tenant });
      await printFields(session, replay, [
        ['dead letter', replay.entry_id],
        ['delivery', replay.delivery_id],
      ]);
    });
}
