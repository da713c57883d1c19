import type { Command } from 'commander';
import { checkInstallation, type Installation } from '../check/check-installation.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';

export function addCheckCommand(program: Command, { env, stdout, failWith }: CommandContext): void {
  program
    .command('check')
    .description('check the configuration, the store, its secrets and its disk, without changing anything')
    .addOption(
      jsonOption(
        'ok, problems (part, level, message), store (engine, reachable, schema_version, pending_migrations, writable), secrets (master_key), webhooks (allowed_networks), disk (path, free_bytes)',
      ),
    )
    .addHelpText(
      'after',
      `
The check can run beside the service, and before the first start. It exits with 1 if a problem keeps the service from
running, and with 0 if there are only warnings. It does not read the whole store: use "verify" for that.

Examples:
  tps check
  tps check --json | jq .problems`,
    )
    .action(async ({ json }: { json?: true }) => {
      const installation = await checkInstallation(env);
      stdout(json ? toJsonText(installation) : toText(installation));
      if (!installation.ok) failWith(1);
    });
}

function toText({ problems, store, webhooks, disk }: Installation): string {
  const facts = [
    ...(store?.reachable ? [`store: ${store.engine}, schema ${store.schema_version ?? 'none'}`] : []),
    ...(webhooks && webhooks.allowed_networks.length > 0
      ? [`webhooks: may target ${webhooks.allowed_networks.join(', ')}`]
      : []),
    ...(disk ? [`disk: ${disk.free_bytes} bytes free at ${disk.path}`] : []),
  ];
  const findings = problems.map(({ part, level, message }) => `${level}, ${part}: ${message}`);
  return [...facts, ...(findings.length === 0 ? ['no problems found'] : findings)].join('\n');
}
