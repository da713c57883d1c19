import type { Client } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup } from './api-command.ts';
import { addListCommand } from './list-command.ts';
import { addNoticeChannelCommands } from './notice-channel-commands.ts';
import { anyOf, createdWithin, NOTICE_CAUSES, NOTICE_STATES } from './values.ts';

export function addNoticeCommands(program: Command, context: CommandContext): void {
  const notices = addGroup(
    program,
    'notices',
    'tell people about incidents and the protection status',
    'tps notices channels create "On call" --mail on-call@example.com',
    'tps notices list --state failed',
  );
  addListCommand(notices, context, {
    description: 'list notices with their states, newest first',
    filters: [
      new Option('--channel-id <channel>', 'only notices to this channel'),
      anyOf('--state <state>', 'only notices in this state', NOTICE_STATES),
      anyOf('--cause <cause>', 'only notices of this cause', NOTICE_CAUSES),
      ...createdWithin('notices'),
    ],
    list: (client, query: Parameters<Client['noticeChannels']['notices']>[0]) =>
      client.noticeChannels.notices(query),
    columns: [
      { heading: 'ID', of: (notice) => notice.notice_id },
      { heading: 'CREATED', of: (notice) => toShortTime(notice.created_at) },
      { heading: 'STATE', of: (notice) => notice.state, isState: true },
      { heading: 'SEVERITY', of: (notice) => notice.severity, isState: true },
      { heading: 'CAUSE', of: (notice) => notice.cause },
      { heading: 'MESSAGE', of: (notice) => notice.message.split('\n', 1)[0] ?? '', mayShrink: true },
      { heading: 'ERROR', of: (notice) => notice.last_error ?? '', mayShrink: true },
    ],
    examples: [
      'tps notices list',
      'tps notices list --state waiting,failed',
      'tps notices list --channel-id nch_0123',
    ],
  });
  addNoticeChannelCommands(notices, context);
}
