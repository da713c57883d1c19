import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { COUNT_LIMIT, TenantDeletion } from '../../features/tenants/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { toOptionalTimestamp } from '../../platform/time.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { toCount, toTable } from './table.ts';
import { withStore } from './with-store.ts';

const GRACE_DAYS = 30;
const MAX_GRACE_DAYS = 90;

/** Adds `delete` and `restore` to the tenant commands. */
export function addTenantDeletionCommands(tenants: Command, context: CommandContext): void {
  addDelete(tenants, context);
  addRestore(tenants, context);
}

function addDelete(tenants: Command, { env, stdout, stderr }: CommandContext): void {
  tenants
    .command('delete <tenant>')
    .description('delete a tenant with all its data, after a grace period')
    .option('--confirm <tenant>', 'repeat the tenant id, instead of typing it at the prompt')
    .addOption(
      new Option('--after-days <days>', `grace period: 1 to ${MAX_GRACE_DAYS}`)
        .argParser(toDays)
        .default(GRACE_DAYS),
    )
    .addOption(new Option('--now', 'no grace period').conflicts('afterDays'))
    .addOption(jsonOption('tenant_id, name, rows, delete_after'))
    .addHelpText(
      'after',
      `
Its credentials are rejected at once, as if they were unknown, and its webhooks receive nothing more.
After the grace period the service, or "retention run", deletes everything permanently. One audit entry, which
belongs to no tenant, remains: the id of the tenant, and how many rows were removed.

Examples:
  tps tenants delete tnt_0123
  tps tenants delete tnt_0123 --confirm tnt_0123 --after-days 7`,
    )
    .action((tenantId: string, options: { confirm?: string; afterDays: number; now?: true; json?: true }) =>
      withStore(env, async ({ database }) => {
        const deletion = new TenantDeletion({ database, clock: systemClock });
        const { tenant, rows } = await deletion.preview(tenantId);
        const counts = Object.entries(rows).map(([table, count]) => [table, toCount(count, COUNT_LIMIT)]);
        // With --json, stdout contains only the JSON.
        const comment = options.json ? stderr : stdout;
        comment(`Tenant ${tenantId} "${tenant.name}" has:\n${toTable(['TABLE', 'ROWS'], counts)}`);
        await requireConfirmation(tenantId, options.confirm);
        const { deleteAfterMs } = await deletion.begin(tenantId, options.now ? 0 : options.afterDays);
        const after = toOptionalTimestamp(deleteAfterMs);
        if (options.json)
          stdout(toJsonText({ tenant_id: tenantId, name: tenant.name, rows, delete_after: after }));
        comment(`Its credentials are rejected from now on. It is deleted permanently after ${after}.`);
        if (!options.now) comment(`To undo this until then: tps tenants restore ${tenantId}`);
      }),
    );
}

function addRestore(tenants: Command, { env, stdout }: CommandContext): void {
  tenants
    .command('restore <tenant>')
    .description('undo the deletion of a tenant during its grace period')
    .addHelpText('after', '\nExamples:\n  tps tenants restore tnt_0123')
    .action((tenantId: string) =>
      withStore(env, async ({ database }) => {
        await new TenantDeletion({ database, clock: systemClock }).restore(tenantId);
        stdout(`Tenant ${tenantId} is restored: its credentials and webhooks work as before.`);
      }),
    );
}

/** @throws InvalidArgumentError unless the user has repeated the id of the tenant */
async function requireConfirmation(tenantId: string, given: string | undefined): Promise<void> {
  const typed = given ?? (await ask("Type the tenant's id to delete it: "));
  if (typed === undefined) {
    throw new InvalidArgumentError(
      `Nothing was changed. Without a terminal, confirm with: --confirm ${tenantId}`,
    );
  }
  if (typed.trim() !== tenantId)
    throw new InvalidArgumentError('Nothing was changed: this is not the id of the tenant.');
}

function toDays(text: string): number {
  const days = Number(text);
  if (!/^\d{1,2}$/.test(text) || days < 1 || days > MAX_GRACE_DAYS)
    throw new InvalidArgumentError(`Use a whole number from 1 to ${MAX_GRACE_DAYS}, or --now.`);
  return days;
}

/** Asks the user. Returns undefined without a terminal or an answer. */
async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  // Written to stderr, because stdout may go to a file.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  try {
    const answer = await Promise.race([terminal.question(question), closed]);
    if (answer === undefined) process.stderr.write('\n');
    return answer;
  } finally {
    terminal.close();
  }
}
