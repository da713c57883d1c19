import type { TenantSettings } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printDone, printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, type Fields, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { wholeNumber } from './values.ts';

export function addSettingsCommands(program: Command, context: CommandContext): void {
  const settings = addGroup(
    program,
    'settings',
    'show what is in effect for a tenant, and request its deletion',
    'tps settings show',
  );
  settings
    .command('show')
    .description('show retention, limits, sign-in and a requested deletion')
    .addHelpText('after', examples('tps settings show', 'tps settings show --json | jq .settings'))
    .action(async (_options: object, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const found = await client.settings.get(tenant);
      await printFields(session, found, toFields(found));
    });
  addRequestDeletion(settings, context);
  settings
    .command('cancel-deletion')
    .description('cancel the requested deletion of the tenant')
    .addHelpText('after', examples('tps settings cancel-deletion'))
    .action(async (_options: object, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      await client.settings.cancelDeletion(tenant);
      await printDone(session, 'Cancelled the deletion.', { cancelled: true });
    });
}

function addRequestDeletion(settings: Command, context: CommandContext): void {
  settings
    .command('request-deletion')
    .description('request the deletion of the tenant with all its data')
    .requiredOption('--name <name>', 'the name of the tenant, as a confirmation')
    .option('--after-days <days>', 'days until the deletion, 7 to 90 (default: 30)', wholeNumber(7, 90))
    .addHelpText(
      'after',
      `
Until then the tenant works as before, and any admin can cancel the deletion. Afterwards nothing is left.
${examples('tps settings request-deletion --name "Example Ltd" --after-days 14')}`,
    )
    .action(async ({ name, afterDays }: { name: string; afterDays?: number }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const days = afterDays === undefined ? {} : { after_days: afterDays };
      const deletion = await client.settings.requestDeletion({ name, ...days, ...tenant });
      await printFields(session, deletion, [
        ['deletion', toShortTime(deletion.due_at)],
        ['cancel with', 'tps settings cancel-deletion'],
      ]);
    });
}

function toFields({ tenant_id: id, name, environment, version, settings, deletion }: TenantSettings): Fields {
  return [
    ['tenant', id],
    ['name', name],
    ['environment', environment],
    ['version', version],
    ...settings.map(({ key, value, unit }): [string, string] => [
      key,
      `${value ?? 'off'}${unit === null ? '' : ` ${unit.replaceAll('_', ' ')}`}`,
    ]),
    ['deletion', deletion ? toShortTime(deletion.due_at) : 'not requested'],
  ];
}
