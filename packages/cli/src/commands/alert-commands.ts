import type { Client } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, addItemCommand } from './api-command.ts';
import { addCountsCommand } from './counts-command.ts';
import { addListCommand } from './list-command.ts';
import { ALERT_STATUSES, anyOf, createdWithin, SEVERITIES, THREAT_CATEGORIES } from './values.ts';

const FILTERS = () => [
  anyOf('--severity <severity>', 'only alerts of this severity', SEVERITIES),
  anyOf('--status <status>', 'only alerts with this status', ALERT_STATUSES),
  anyOf('--threat-category <category>', 'only alerts of this category', THREAT_CATEGORIES),
  new Option('--device-id <id>', 'only alerts of this device'),
  new Option('--incident-id <id>', 'only alerts of this incident'),
  new Option('--threat-id <id>', 'only alerts of this threat'),
  ...createdWithin('alerts'),
];

export function addAlertCommands(program: Command, context: CommandContext): void {
  const alerts = addGroup(program, 'alerts', 'read alerts', 'tps alerts list');
  addListCommand(alerts, context, {
    description: 'list alerts, newest first',
    filters: FILTERS(),
    list: (client, query: Parameters<Client['alerts']['list']>[0]) => client.alerts.list(query),
    columns: [
      { heading: 'ID', of: (alert) => alert.alert_id },
      { heading: 'SEVERITY', of: (alert) => alert.severity, isState: true },
      { heading: 'STATUS', of: (alert) => alert.status, isState: true },
      { heading: 'UPDATED', of: (alert) => toShortTime(alert.updated_at) },
      { heading: 'DEVICE', of: (alert) => alert.device_id },
      { heading: 'TITLE', of: (alert) => alert.title, mayShrink: true },
    ],
    examples: ['tps alerts list --status open', 'tps alerts list --severity critical --json | jq length'],
  });
  addCountsCommand(alerts, context, {
    noun: 'alerts',
    filters: FILTERS(),
    counts: (client, query: Parameters<Client['alerts']['counts']>[0]) => client.alerts.counts(query),
    examples: ['tps alerts counts --since 24h --severity high,critical'],
  });
  addItemCommand(alerts, context, {
    name: 'show',
    description: 'show one alert',
    argument: ['<alert>', 'id of the alert'],
    examples: ['tps alerts show alr_0123'],
    call: (id, { client, tenant }) => client.alerts.get(id, tenant),
    fields: (alert) => [
      ['alert', alert.alert_id],
      ['title', alert.title],
      ['severity', alert.severity],
      ['status', alert.status],
      ['category', alert.threat_category],
      ['device', alert.device_id],
      ['threat', alert.threat_id],
      ['incident', alert.incident_id],
      ['events', alert.event_ids.join(', ')],
      ['created', toShortTime(alert.created_at)],
      ['updated', toShortTime(alert.updated_at)],
    ],
  });
}
