import type { Client } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, addItemCommand } from './api-command.ts';
import { addCountsCommand } from './counts-command.ts';
import { addListCommand } from './list-command.ts';
import { anyOf, createdWithin, SEVERITIES, THREAT_CATEGORIES, THREAT_STATUSES } from './values.ts';

const FILTERS = () => [
  ...createdWithin('threats detected'),
  anyOf('--severity <severity>', 'only threats of this severity', SEVERITIES),
  anyOf('--status <status>', 'only threats with this status', THREAT_STATUSES),
  anyOf('--threat-category <category>', 'only threats of this category', THREAT_CATEGORIES),
  new Option('--device-id <id>', 'only threats of this device'),
  new Option('--incident-id <id>', 'only threats of this incident'),
  new Option('--indicator <indicator>', 'only threats with this indicator'),
];

export function addThreatCommands(program: Command, context: CommandContext): void {
  const threats = addGroup(program, 'threats', 'read threats', 'tps threats list');
  addListCommand(threats, context, {
    description: 'list threats, newest first',
    filters: FILTERS(),
    list: (client, query: Parameters<Client['threats']['list']>[0]) => client.threats.list(query),
    columns: [
      { heading: 'ID', of: (threat) => threat.threat_id },
      { heading: 'SEVERITY', of: (threat) => threat.severity, isState: true },
      { heading: 'STATUS', of: (threat) => threat.status, isState: true },
      { heading: 'CATEGORY', of: (threat) => threat.threat_category },
      { heading: 'CONFIDENCE', of: (threat) => threat.confidence.toFixed(2) },
      { heading: 'DETECTED', of: (threat) => toShortTime(threat.detected_at) },
      { heading: 'DEVICE', of: (threat) => threat.device_id },
    ],
    examples: ['tps threats list --status active', 'tps threats list --since 7d --threat-category phishing'],
  });
  addCountsCommand(threats, context, {
    noun: 'threats',
    filters: FILTERS(),
    counts: (client, query: Parameters<Client['threats']['counts']>[0]) => client.threats.counts(query),
    examples: ['tps threats counts --since 30d --interval day'],
  });
  addItemCommand(threats, context, {
    name: 'show',
    description: 'show one threat',
    argument: ['<threat>', 'id of the threat'],
    examples: ['tps threats show thr_0123'],
    call: (id, { client, tenant }) => client.threats.get(id, tenant),
    fields: (threat) => [
      ['threat', threat.threat_id],
      ['category', threat.threat_category],
      ['severity', threat.severity],
      ['status', threat.status],
      ['confidence', threat.confidence],
      ['device', threat.device_id],
      ['description', threat.description],
      ['indicators', threat.indicators.join(', ')],
      ['events', threat.event_count],
      ['detected', toShortTime(threat.detected_at)],
      ['last seen', toShortTime(threat.last_seen_at)],
    ],
  });
}
