import { countOf } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { openSession } from '../session.ts';

export function addStatusCommands(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description('show whether the tenant is protected, and why not')
    .addHelpText('after', '\nExamples:\n  tps status\n  tps status --json | jq -r .status')
    .action(async (_options: object, command: Command) => {
      const session = openSession(context, command);
      const status = await (await session.client()).status.get(await session.tenant());
      const { devices, threats, alerts, incidents, events, webhooks } = status;
      await printFields(session, status, [
        ['status', status.status],
        ['reasons', status.reasons.join('; ')],
        ['tenant', status.tenant_id],
        [
          'devices',
          `${devices.active} active, ${devices.online} online, ${devices.stale} stale, ${devices.offline} offline`,
        ],
        ['threats', `${threats.active} active`],
        ['alerts', `${alerts.open} open`],
        [
          'incidents',
          `${incidents.open} open, ${incidents.in_progress} in progress, ${incidents.on_hold} on hold`,
        ],
        [
          'events',
          `${events.last_24h} in the last 24 hours, ${events.last_event_at ? `the last at ${toShortTime(events.last_event_at)}` : 'none yet'}`,
        ],
        [
          'webhooks',
          `${webhooks.registered} registered, ${webhooks.failing} failing, ${countOf(webhooks.dead_letters, 'dead letter')}`,
        ],
        [
          'components',
          Object.entries(status.components)
            .map(([name, state]) => `${name} ${state}`)
            .join(', '),
        ],
        ['version', status.version],
      ]);
    });
}
