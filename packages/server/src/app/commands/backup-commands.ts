import { countOf } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import { makeBackup, recordBackup, restoreBackup } from '../../features/maintenance/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, loadConfig } from '../../platform/config/config.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { addVerifyCommand } from './verify-command.ts';

export function addBackupCommands(program: Command, context: CommandContext): void {
  addBackup(program, context);
  addRestore(program, context);
  addVerifyCommand(program, context);
}

function addBackup(program: Command, { env, stdout, stderr }: CommandContext): void {
  program
    .command('backup <file>')
    .description('write a verified copy of the SQLite store, also while the service runs')
    .option('--force', 'overwrite the file')
    .addOption(jsonOption('path, bytes, tenants, events, sha256'))
    .addHelpText(
      'after',
      '\nExamples:\n  tps backup /backups/tps-$(date +%F).db\n  tps backup /backups/tps.db --force --json',
    )
    .action(async (file: string, { force = false, json }: { force?: boolean; json?: true }) => {
      const url = requireSqlite(loadConfig(env), 'pg_dump --format=custom --file=tps.dump');
      const startedAtMs = systemClock.now();
      const { path, bytes, tenants, events, sha256 } = await makeBackup(url, { file, force, report: stderr });
      record(url, startedAtMs, stderr);
      stdout(
        json
          ? toJsonText({ path, bytes, tenants, events, sha256 })
          : `${path}: ${bytes} bytes, ${countOf(tenants, 'tenant')}, ${countOf(events, 'event')}, verified\nsha256 ${sha256}`,
      );
    });
}

/** For the metric of the service. A backup that cannot be recorded is complete nevertheless. */
function record(url: string, startedAtMs: number, stderr: CommandContext['stderr']): void {
  try {
    recordBackup(url, startedAtMs);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    stderr(
      `warning: the time of the backup could not be recorded in the store (${reason}): metrics do not show it`,
    );
  }
}

function addRestore(program: Command, { env, stdout, stderr }: CommandContext): void {
  program
    .command('restore <file>')
    .description('replace the SQLite store with a backup, while no service runs on it')
    .option('--force', 'replace an existing store, which is kept under another name')
    .addOption(jsonOption('path, tenants, events, kept_as'))
    .addHelpText(
      'after',
      `
Webhook secrets can only be read with the SERVICE_SECRET_KEY_B64 that was set when the backup was made.
Credentials are restored too: revoke again those that were revoked after the backup.

Examples:
  tps restore /backups/tps.db
  tps restore /backups/tps.db --force`,
    )
    .action(async (file: string, { force = false, json }: { force?: boolean; json?: true }) => {
      const url = requireSqlite(
        loadConfig(env),
        'pg_restore --clean --if-exists --single-transaction tps.dump',
      );
      const { path, tenants, events, keptAs } = await restoreBackup(url, {
        file,
        force,
        report: stderr,
        clock: systemClock,
      });
      if (json) {
        stdout(toJsonText({ path, tenants, events, kept_as: keptAs ?? null }));
        return;
      }
      stdout(`${path}: restored, ${countOf(tenants, 'tenant')}, ${countOf(events, 'event')}`);
      if (keptAs !== undefined) stdout(`previous store kept as ${keptAs}`);
      stdout(
        'Webhook secrets need the SERVICE_SECRET_KEY_B64 that was set when the backup was made.\n' +
          'Credentials and devices that were revoked after the backup are valid again: revoke them again.',
      );
    });
}

/** @throws Error that names the command for PostgreSQL, without a password: every user can read arguments */
function requireSqlite({ database }: Config, instead: string): string {
  if (database.engine === 'sqlite') return database.url.reveal();
  const url = toUrlWithoutPassword(database.url.reveal());
  throw new Error(
    'This command works on SQLite only. For PostgreSQL, use the following, with the password in the file that ' +
      `PGPASSFILE names:\n  ${instead} --dbname='${url}'`,
  );
}

function toUrlWithoutPassword(text: string): string {
  const url = new URL(text);
  url.password = '';
  url.searchParams.delete('password');
  return url.href.replaceAll("'", '%27');
}
