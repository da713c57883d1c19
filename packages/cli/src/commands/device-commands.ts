import type { Client, Device, DeviceBulk, DeviceHealth } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, addItemCommand, type Fields, openCall } from './api-command.ts';
import { addBulkCommand } from './bulk-command.ts';
import { addCountsCommand } from './counts-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { anyOf, createdWithin, DEVICE_STATUSES, PLATFORMS } from './values.ts';

const ARGUMENT = ['<device>', 'id of the device'] as const;

const FILTERS = () => [
  anyOf('--status <status>', 'only devices with this status', DEVICE_STATUSES),
  anyOf('--platform <platform>', 'only devices with this platform', PLATFORMS),
  ...createdWithin('devices registered'),
];

export function addDeviceCommands(program: Command, context: CommandContext): void {
  const devices = addGroup(program, 'devices', 'list, rename and revoke devices', 'tps devices list');
  addListCommand(devices, context, {
    description: 'list devices, newest registration first',
    filters: FILTERS(),
    list: (client, query: Parameters<Client['devices']['list']>[0]) => client.devices.list(query),
    columns: [
      { heading: 'ID', of: (device) => device.device_id },
      { heading: 'NAME', of: (device) => device.name ?? '', mayShrink: true },
      { heading: 'PLATFORM', of: (device) => device.platform },
      { heading: 'STATUS', of: (device) => device.status, isState: true },
      { heading: 'LAST SEEN', of: (device) => toShortTime(device.last_seen) },
    ],
    examples: ['tps devices list', 'tps devices list --status active --platform android --ndjson'],
  });
  addCountsCommand(devices, context, {
    noun: 'devices',
    filters: FILTERS(),
    counts: (client, query: Parameters<Client['devices']['counts']>[0]) => client.devices.counts(query),
    examples: ['tps devices counts --interval day --platform ios,android'],
  });
  addItemCommand(devices, context, {
    name: 'show',
    description: 'show one device',
    argument: ARGUMENT,
    examples: ['tps devices show dev_0123'],
    call: (id, { client, tenant }) => client.devices.get(id, tenant),
    fields: toFields,
  });
  addItemCommand(devices, context, {
    name: 'health',
    description: 'show how a device is doing',
    argument: ARGUMENT,
    examples: ['tps devices health dev_0123'],
    call: (id, { client, tenant }) => client.devices.health(id, tenant),
    fields: toHealthFields,
  });
  addItemCommand(devices, context, {
    name: 'revoke',
    description: 'revoke a device permanently: it cannot send or register again',
    argument: ARGUMENT,
    examples: ['tps devices revoke dev_0123'],
    call: (id, { client, tenant }) => client.devices.update(id, { status: 'revoked', ...tenant }),
    fields: toFields,
  });
  addBulk(devices, context);
  devices
    .command('rename')
    .description('rename a device')
    .argument(...ARGUMENT)
    .argument('<name>', 'new display name')
    .addHelpText('after', examples('tps devices rename dev_0123 "Reception tablet"'))
    .action(async (id: string, name: string, _options: object, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const device = await client.devices.update(id, { name, ...tenant });
      await printFields(session, device, toFields(device));
    });
}

function addBulk(devices: Command, context: CommandContext): void {
  addBulkCommand<DeviceBulk['change'], object>(devices, context, {
    description: 'revoke several devices permanently, each by itself',
    noun: 'devices',
    changes: [],
    toChange: () => ({ status: 'revoked' }),
    isFinal: () => true,
    counts: (client, filter) => client.devices.counts(filter),
    run: (client, request) => client.devices.bulkAll(request),
    examples: [
      'tps devices bulk dev_0123 dev_0124 --yes',
      'tps devices bulk --filter platform=windows --filter status=active --dry-run',
    ],
  });
}

function toFields(device: Device): Fields {
  return [
    ['device', device.device_id],
    ['name', device.name],
    ['platform', device.platform],
    ['status', device.status],
    ['agent', device.agent_version],
    ['registered', toShortTime(device.registered_at)],
    ['last seen', toShortTime(device.last_seen)],
    ['revoked', toShortTime(device.revoked_at)],
    ['tenant', device.tenant_id],
    ['public key', device.public_key_b64],
  ];
}

function toHealthFields({ key, chain, recent, ...device }: DeviceHealth): Fields {
  const hours = device.silent_after_hours;
  return [
    ['device', device.device_id],
    ['status', device.status],
    ['last seen', toShortTime(device.last_seen)],
    ['silent', device.silent ? `yes: nothing for ${hours} h` : 'no'],
    ['invalid signatures', device.failing_signatures ? 'yes' : 'no'],
    ['key', key && `${key.type} ${key.bits}`],
    ['fingerprint', key?.fingerprint],
    ['key replaced', toShortTime(key?.replaced_at)],
    ['sequence', chain.sequence],
    ['chain end', chain.last_event_hash],
    ['recent events', recent.events],
    ['chain', recent.chain_states.map(({ state, count }) => `${state} ${count}`).join(', ')],
    ['incidents', device.incidents.join(', ')],
  ];
}
