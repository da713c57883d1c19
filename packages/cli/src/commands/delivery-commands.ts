import type { Client } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addItemCommand, openCall } from './api-command.ts';
import { addCountsCommand } from './counts-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { anyOf, createdWithin, DELIVERY_STATUSES, toTime } from './values.ts';

const WEBHOOK = ['<webhook>', 'id of the webhook'] as const;

const FILTERS = () => [
  anyOf('--status <status>', 'only deliveries with this status', DELIVERY_STATUSES),
  new Option('--event-id <id>', 'only deliveries of this event'),
  ...createdWithin('deliveries'),
];

/** Adds the commands about the deliveries of a webhook. */
export function addDeliveryCommands(webhooks: Command, context: CommandContext): void {
  addItemCommand(webhooks, context, {
    name: 'test',
    description: 'send a sample event now',
    argument: WEBHOOK,
    examples: ['tps webhooks test whk_0123 && tps webhooks deliveries whk_0123 --limit 1'],
    call: (id, { client, tenant }) => client.webhooks.test(id, tenant),
    fields: (test) => [
      ['delivery', test.delivery_id],
      ['webhook', test.webhook_id],
      ['event', test.event_id],
    ],
  });
  addListCommand(webhooks, context, {
    name: 'deliveries',
    description: 'list sent and pending deliveries, newest first',
    argument: WEBHOOK,
    filters: FILTERS(),
    list: (client, query: Parameters<Client['webhooks']['deliveries']>[1], id) =>
      client.webhooks.deliveries(id, query),
    columns: [
      { heading: 'ID', of: (delivery) => delivery.delivery_id },
      { heading: 'KIND', of: (delivery) => delivery.kind },
      { heading: 'STATUS', of: (delivery) => delivery.status, isState: true },
      { heading: 'RESPONSE', of: (delivery) => String(delivery.last_status ?? '') },
      { heading: 'ATTEMPTS', of: (delivery) => String(delivery.attempts) },
      { heading: 'LAST ATTEMPT', of: (delivery) => toShortTime(delivery.last_attempt_at) },
      { heading: 'EVENT', of: (delivery) => delivery.event_id },
      { heading: 'ERROR', of: (delivery) => delivery.last_error ?? '', mayShrink: true },
    ],
    examples: ['tps webhooks deliveries whk_0123 --status failed'],
  });
  addCountsCommand(webhooks, context, {
    name: 'delivery-counts',
    noun: 'the deliveries of a webhook',
    argument: WEBHOOK,
    filters: FILTERS(),
    counts: (client, query: Parameters<Client['webhooks']['deliveryCounts']>[1], id) =>
      client.webhooks.deliveryCounts(id, query),
    examples: ['tps webhooks delivery-counts whk_0123 --since 24h --status failed'],
  });
  webhooks
    .command('recover')
    .description('deliver the missed events since a time')
    .argument(...WEBHOOK)
    .requiredOption('--since <time>', 'start time, RFC 3339 or relative, such as 24h', toTime)
    .addHelpText('after', examples('tps webhooks recover whk_0123 --since 24h'))
    .action(async (id: string, { since }: { since: string }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const recovery = await client.webhooks.recover(id, { since, ...tenant });
      await printFields(session, recovery, [
        ['webhook', recovery.webhook_id],
        ['since', toShortTime(recovery.since)],
        ['events checked', recovery.events],
      ]);
    });
}
