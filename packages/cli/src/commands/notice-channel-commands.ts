import type { Client, NoticeChannel } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readSecretFile } from '../connection/secret-input.ts';
import { usageError } from '../output/command-error.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import {
  addEndCommand,
  addGroup,
  addItemCommand,
  type Fields,
  omitUndefined,
  openCall,
} from './api-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import {
  addChannelOptions,
  type ChannelFlags,
  describeQuietHours,
  toChannelMembers,
} from './notice-channel-flags.ts';
import { printWithSecret, type SecretFlag, signingSecretFrom } from './signing-secret.ts';

const CHANNEL = ['<channel>', 'id of the channel'] as const;

export function addNoticeChannelCommands(notices: Command, context: CommandContext): void {
  const channels = addGroup(
    notices,
    'channels',
    'set where notices go',
    'tps notices channels create "On call" --mail on-call@example.com',
    'tps notices channels list',
  );
  addListCommand(channels, context, {
    description: 'list notice channels, newest first',
    list: (client, query: Parameters<Client['noticeChannels']['list']>[0]) =>
      client.noticeChannels.list(query),
    columns: [
      { heading: 'ID', of: (channel) => channel.channel_id },
      { heading: 'NAME', of: (channel) => channel.name, mayShrink: true },
      { heading: 'KIND', of: (channel) => channel.kind },
      { heading: 'STATUS', of: (channel) => channel.status, isState: true },
      { heading: 'FROM', of: (channel) => channel.min_severity, isState: true },
      { heading: 'TO', of: toTarget, mayShrink: true },
    ],
    examples: ['tps notices channels list'],
  });
  addItemCommand(channels, context, {
    name: 'show',
    description: 'show one notice channel',
    argument: CHANNEL,
    examples: ['tps notices channels show nch_0123'],
    call: (id, { client, tenant }) => client.noticeChannels.get(id, tenant),
    fields: toFields,
  });
  addCreate(channels, context);
  addUpdate(channels, context);
  addItemCommand(channels, context, {
    name: 'test',
    description: 'send a test notice now',
    argument: CHANNEL,
    examples: ['tps notices channels test nch_0123 && tps notices list --channel-id nch_0123 --limit 1'],
    call: (id, { client, tenant }) => client.noticeChannels.test(id, tenant),
    fields: (test) => [
      ['notice', test.notice_id],
      ['channel', test.channel_id],
    ],
  });
  addEndCommand(channels, context, {
    name: 'remove',
    description: 'remove a notice channel and its notices',
    argument: CHANNEL,
    noun: 'notice channel',
    idMember: 'channel_id',
    example: 'tps notices channels remove nch_0123',
    call: (id, { client, tenant }) => client.noticeChannels.remove(id, tenant),
  });
}

interface CreateFlags extends ChannelFlags, SecretFlag {
  readonly mail?: string;
  readonly slackFile?: string;
  readonly webhook?: string;
}

function addCreate(channels: Command, context: CommandContext): void {
  const command = channels
    .command('create')
    .description('create a notice channel: by mail, to Slack or to a webhook')
    .argument('<name>', 'display name')
    .option('--mail <address>', 'send mails to this address')
    .option('--slack-file <file>', 'post to the incoming webhook of Slack whose URL is in this file, or "-"')
    .option('--webhook <url>', 'post signed JSON to this URL')
    .option(
      '--secret-file <file>',
      'with --webhook: file with the signing secret, or "-" (default: generated and shown once)',
    );
  addChannelOptions(command)
    .addHelpText(
      'after',
      examples(
        'tps notices channels create "On call" --mail on-call@example.com',
        'tps notices channels create Team --slack-file slack-url.txt --quiet 22:00-07:00 --time-zone Europe/Berlin',
        'tps notices channels create Pager --webhook https://pager.example.com/tps --min-severity critical',
      ),
    )
    .action(async (name: string, flags: CreateFlags) => {
      const { target, shown } = await targetFrom(context, flags);
      const members = toChannelMembers(flags);
      const { client, session, tenant } = await openCall(context, command);
      const channel = await client.noticeChannels.create({ name, ...target, ...members, ...tenant });
      const advice = `Run: tps notices channels remove ${channel.channel_id}`;
      await printWithSecret(session, { value: channel, fields: toFields(channel) }, { shown, advice });
    });
}

/** Returns where the channel leads, and the secret if it is generated. */
async function targetFrom(context: CommandContext, flags: CreateFlags) {
  const { mail, slackFile, webhook, secretFile } = flags;
  const given = [mail, slackFile, webhook].filter((each) => each !== undefined);
  if (given.length !== 1) throw usageError('Use one of --mail, --slack-file and --webhook.');
  if (secretFile !== undefined && webhook === undefined)
    throw usageError('--secret-file requires --webhook.');
  if (mail !== undefined) return { target: { kind: 'email', address: mail } as const, shown: {} };
  if (slackFile !== undefined) {
    return { target: { kind: 'slack', url: await readSecretFile(context, slackFile) } as const, shown: {} };
  }
  const { secret, shown } = await signingSecretFrom(context, flags);
  return { target: { kind: 'webhook', url: webhook ?? '', secret } as const, shown };
}

interface UpdateFlags extends ChannelFlags, SecretFlag {
  readonly name?: string;
  readonly mail?: string;
  readonly urlFile?: string;
  readonly pause?: true;
  readonly resume?: true;
}

function addUpdate(channels: Command, context: CommandContext): void {
  const command = channels
    .command('update')
    .description('change, pause or resume a notice channel')
    .argument(...CHANNEL)
    .option('--name <name>', 'display name')
    .option('--mail <address>', 'new address of a channel by mail')
    .option('--url-file <file>', 'file with the new URL of any other channel, or "-"')
    .option('--secret-file <file>', 'file with the new signing secret, or "-"')
    .option('--pause', 'send nothing, and drop what waits')
    .option('--resume', 'send again');
  addChannelOptions(command)
    .addHelpText(
      'after',
      examples(
        'tps notices channels update nch_0123 --pause',
        'tps notices channels update nch_0123 --min-severity critical --no-quiet',
        'tps notices channels update nch_0123 --quiet 20:00-08:00 --quiet-days sat,sun --break-through none',
      ),
    )
    .action(async (id: string, flags: UpdateFlags) => {
      const { name, mail, urlFile, secretFile, pause, resume } = flags;
      if (pause && resume) throw usageError('--pause and --resume cannot be combined.');
      const change = omitUndefined({
        name,
        address: mail,
        url: urlFile === undefined ? undefined : await readSecretFile(context, urlFile),
        secret: secretFile === undefined ? undefined : await readSecretFile(context, secretFile),
        status: pause ? ('paused' as const) : resume ? ('active' as const) : undefined,
        ...toChannelMembers(flags),
      });
      if (Object.keys(change).length === 0)
        throw usageError('Nothing to change. See: tps notices channels update --help');
      const { client, session, tenant } = await openCall(context, command);
      const channel = await client.noticeChannels.update(id, { ...change, ...tenant });
      await printFields(session, channel, toFields(channel));
    });
}

function toTarget({ address, url_origin: origin }: NoticeChannel): string {
  return address ?? origin ?? '';
}

function toFields(channel: NoticeChannel): Fields {
  return [
    ['channel', channel.channel_id],
    ['name', channel.name],
    ['kind', channel.kind],
    ['to', toTarget(channel)],
    ['status', channel.status],
    ['topics', channel.topics.join(', ')],
    ['lowest severity', channel.min_severity],
    ['quiet hours', describeQuietHours(channel.quiet_hours)],
    ['messages per hour', channel.max_per_hour],
    ['version', channel.version],
    ['changed', toShortTime(channel.updated_at)],
  ];
}
