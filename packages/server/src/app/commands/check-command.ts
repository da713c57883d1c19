import type { Command } from 'commander';
import { checkInstallation, type Installation } from '../check/check-installation.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';

export function addCheckCommand(program: Command, { env, stdout, failWith }: CommandContext): void {
  program
    .command('check')
    .description('look at the configuration, the store, its secrets and its disk, and change nothing')
    .addOption(
      jsonOption(
        'ok, problems (part, level, message), store (engine, reachable, schema_version, pending_migrations, writable), secrets (master_key), disk (path, free_bytes)',
      ),
    )
    .addHelpText(
      'after',
      `
It may run beside the service, and before the first start. It ends with 1 when something keeps a service from running;
warnings leave it at 0. "verify" reads the store to its end, which this does not.

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

function toText({ problems, store, disk }: Installation): string {
  const facts = [
    ...(store?.reachable ? [`store: ${store.engine}, schema ${store.schema_version ?? 'none'}`] : []),
    ...(disk ? [`disk: ${disk.free_bytes} bytes free at ${disk.path}`] : []),
  ];
  const findings = problems.map(({ part, level, message }) => `${level}, ${part}: ${message}`);
  return [...facts, ...(findings.length === 0 ? ['nothing is wrong'] : findings)].join('\n');
}
