import type { Client, Webhook, WebhookChange } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addEndCommand, addGroup, addItemCommand, type Fields, openCall } from './api-command.ts';
import { addDeadLetterCommands } from './dead-letter-commands.ts';
import { addDeliveryCommands } from './delivery-commands.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { addListenCommand } from './listen-command.ts';
import { printWithSecret, type SecretFlag, signingSecretFrom } from './signing-secret.ts';
import { anyOf, createdWithin, SEVERITIES, WEBHOOK_STATUSES, wholeNumber, wordsOf } from './values.ts';

const WEBHOOK = ['<webhook>', 'id of the webhook'] as const;
const toSeverities = wordsOf(SEVERITIES);
const MAX_OVERLAP_S = 604_800;

export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhooks = addGroup(
    program,
    'webhooks',
    'deliver events to your own endpoint',
    'tps webhooks create https://example.com/hooks',
    'tps webhooks dlq list',
  );
  addListCommand(webhooks, context, {
    description: 'list webhooks, newest first',
    filters: [
      anyOf('--status <status>', 'only webhooks with this status', WEBHOOK_STATUSES),
      ...createdWithin('webhooks'),
    ],
    list: (client, query: Parameters<Client['webhooks']['list']>[0]) => client.webhooks.list(query),
    columns: [
      { heading: 'ID', of: (webhook) => webhook.webhook_id },
      { heading: 'STATUS', of: (webhook) => webhook.status, isState: true },
      {
        heading: 'LAST DELIVERY',
        of: (webhook) => webhook.last_delivery_status ?? 'none yet',
        isState: true,
      },
      { heading: 'AT', of: (webhook) => toShortTime(webhook.last_delivery_at) },
      { heading: 'URL', of: (webhook) => webhook.url, mayShrink: true },
    ],
    examples: ['tps webhooks list'],
  });
  addItemCommand(webhooks, context, {
    name: 'show',
    description: 'show one webhook',
    argument: WEBHOOK,
    examples: ['tps webhooks show whk_0123'],
    call: (id, { client, tenant }) => client.webhooks.get(id, tenant),
    fields: toFields,
  });
  addCreate(webhooks, context, 'create');
  // The name in version 0.2.
  addCreate(webhooks, context, 'add', { hidden: true });
  addUpdate(webhooks, context);
  addRotation(webhooks, context);
  addEndCommand(webhooks, context, {
    name: 'remove',
    description: 'remove a webhook, its deliveries and its dead letters',
    argument: WEBHOOK,
    noun: 'webhook',
    idMember: 'webhook_id',
    example: 'tps webhooks remove whk_0123',
    call: (id, { client, tenant }) => client.webhooks.remove(id, tenant),
  });
  addDeliveryCommands(webhooks, context);
  addDeadLetterCommands(webhooks, context);
  addListenCommand(webhooks, context);
}

function addCreate(
  webhooks: Command,
  context: CommandContext,
  ...name: [name: string, options?: { hidden: boolean }]
): void {
  webhooks
    .command(...name)
    .description('create a webhook')
    .argument('<url>', 'URL that events are posted to')
    .option('--severity <severities>', 'only events of these severities, separated by commas', toSeverities)
    .option('--no-auto-replay', 'do not replay dead letters when the receiver responds again')
    .option(
      '--secret-file <file>',
      'file with the signing secret, or "-" (default: generated and shown once)',
    )
    .addHelpText(
      'after',
      examples(
        `tps webhooks ${name[0]} https://example.com/hooks`,
        `tps webhooks ${name[0]} https://example.com/hooks --severity high,critical --secret-file hook.secret`,
      ),
    )
    .action(async (url: string, flags: SecretFlag & Filter & { autoReplay: boolean }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const { secret, shown } = await signingSecretFrom(context, flags);
      const filter = flags.severity === undefined ? {} : { severity_filter: [...flags.severity] };
      const replay = flags.autoReplay ? {} : { auto_replay: false };
      const webhook = await client.webhooks.create({ url, secret, ...filter, ...replay, ...tenant });
      await printWithSecret(session, toItem(webhook), { shown, advice: rotationOf(webhook) });
    });
}

interface Filter {
  readonly severity?: NonNullable<Webhook['severity_filter']>;
}

interface UpdateFlags extends Filter {
  readonly url?: string;
  readonly anySeverity?: true;
  readonly autoReplay?: boolean;
  readonly enable?: true;
  readonly disable?: true;
}

function addUpdate(webhooks: Command, context: CommandContext): void {
  webhooks
    .command('update')
    .description('change, enable or disable a webhook')
    .argument(...WEBHOOK)
    .option('--to <url>', 'new URL')
    .option('--severity <severities>', 'only events of these severities, separated by commas', toSeverities)
    .option('--any-severity', 'remove the severity filter')
    .option('--auto-replay', 'replay dead letters when the receiver responds again')
    .option('--no-auto-replay', 'leave dead letters to be replayed on request')
    .option('--enable', 'enable the webhook')
    .option('--disable', 'disable the webhook')
    .addHelpText(
      'after',
      examples(
        'tps webhooks update whk_0123 --disable',
        'tps webhooks update whk_0123 --severity critical',
        'tps webhooks update whk_0123 --no-auto-replay',
      ),
    )
    .action(async (id: string, flags: Omit<UpdateFlags, 'url'> & { to?: string }, command: Command) => {
      const change = toChange(flags);
      if (Object.keys(change).length === 0)
        throw usageError('Nothing to change. See: tps webhooks update --help');
      const { client, session, tenant } = await openCall(context, command);
      const webhook = await client.webhooks.update(id, { ...change, ...tenant });
      await printFields(session, webhook, toFields(webhook));
    });
}

function toChange(flags: Omit<UpdateFlags, 'url'> & { to?: string }): WebhookChange {
  const { to, severity, anySeverity, autoReplay, enable, disable } = flags;
  if (enable && disable) throw usageError('--enable and --disable cannot be combined.');
  if (severity !== undefined && anySeverity)
    throw usageError('--severity and --any-severity cannot be combined.');
  return {
    ...(to === undefined ? {} : { url: to }),
    ...(severity === undefined ? {} : { severity_filter: [...severity] }),
    ...(anySeverity ? { severity_filter: null } : {}),
    ...(autoReplay === undefined ? {} : { auto_replay: autoReplay }),
    ...(enable || disable ? { status: enable ? ('active' as const) : ('disabled' as const) } : {}),
  };
}

function addRotation(webhooks: Command, context: CommandContext): void {
  webhooks
    .command('rotate-secret')
    .description('replace the signing secret; the old one keeps signing for a while')
    .argument(...WEBHOOK)
    .option('--secret-file <file>', 'file with the new secret, or "-" (default: generated and shown once)')
    .option(
      '--overlap <seconds>',
      'seconds for which the old secret keeps signing (default: a day)',
      wholeNumber(0, MAX_OVERLAP_S),
    )
    .addHelpText('after', examples('tps webhooks rotate-secret whk_0123 --overlap 86400'))
    .action(async (id: string, flags: SecretFlag & { overlap?: number }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const { secret, shown } = await signingSecretFrom(context, flags);
      const overlap = flags.overlap === undefined ? {} : { overlap_s: flags.overlap };
      const webhook = await client.webhooks.rotateSecret(id, { secret, ...overlap, ...tenant });
      await printWithSecret(session, toItem(webhook), { shown, advice: rotationOf(webhook) });
    });
}

function rotationOf({ webhook_id: id }: Webhook): string {
  return `Run: tps webhooks rotate-secret ${id}`;
}

function toItem(webhook: Webhook): { value: Webhook; fields: Fields } {
  return { value: webhook, fields: toFields(webhook) };
}

function toFields(webhook: Webhook): Fields {
  return [
    ['webhook', webhook.webhook_id],
    ['url', webhook.url],
    ['status', webhook.status],
    ['disabled', webhook.disabled_reason],
    ['severities', webhook.severity_filter?.join(', ') ?? 'all'],
    ['automatic replay', webhook.auto_replay ? 'on' : 'off'],
    ['circuit', webhook.circuit],
    ['next probe', toShortTime(webhook.next_probe_at)],
    ['last delivery', webhook.last_delivery_status ?? 'none yet'],
    ['at', toShortTime(webhook.last_delivery_at)],
    ['error', webhook.last_delivery_error],
    ['created', toShortTime(webhook.created_at)],
    ['old secret until', toShortTime(webhook.previous_secret_until)],
  ];
}
