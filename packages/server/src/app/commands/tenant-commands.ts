import type { Command } from 'commander';
import { type TenantRecord, tenantStore } from '../../features/tenants/index.ts';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';
import { toName, toWholeNumber } from './arguments.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { toTable } from './table.ts';
import { addTenantDeletionCommands } from './tenant-deletion-commands.ts';
import { withStore } from './with-store.ts';

const TENANT_MEMBERS =
  'tenant_id, name, environment, created_at, state, delete_after, rate_limit_per_minute, triage_at_once';

/** The same bound as for the service's own limit. */
const MAX_LIMIT = 1_000_000;
const toLimit = toWholeNumber([1, MAX_LIMIT], 'default');
const MAX_TRIAGES = 20;
const toTriages = toWholeNumber([1, MAX_TRIAGES], 'off');

export function addTenantCommands(program: Command, context: CommandContext): void {
  const tenants = program
    .command('tenants')
    .description('create, list, limit and delete tenants')
    .addHelpText('after', '\nExamples:\n  tps tenants create "Example Ltd" --test\n  tps tenants list');
  addCreate(tenants, context);
  addList(tenants, context);
  addSettings(tenants, context);
  addTenantDeletionCommands(tenants, context);
}

function addCreate(tenants: Command, { env, stdout }: CommandContext): void {
  tenants
    .command('create')
    .argument('<name>', 'display name', toName)
    .description('create a tenant')
    .option('--test', 'create a test tenant: its credentials begin with svc_test_')
    .addOption(jsonOption('tenant_id, name, environment'))
    .addHelpText(
      'after',
      '\nExamples:\n  tps tenants create "Example Ltd" --test\n  tps tenants create "Example Ltd" --json',
    )
    .action((name: string, { test, json }: { test?: true; json?: true }) =>
      withStore(
        env,
        async ({ database, tenants }) => {
          const environment = test ? 'test' : 'live';
          const tenant = await database.transaction((tx) => tenants.create(tx, { name, environment }));
          stdout(json ? toJsonText({ tenant_id: tenant.tenantId, name, environment }) : tenant.tenantId);
        },
        { mayMake: true },
      ),
    );
}

function addList(tenants: Command, { env, stdout }: CommandContext): void {
  tenants
    .command('list')
    .description('list all tenants, oldest first')
    .addOption(jsonOption(`array with members ${TENANT_MEMBERS}`))
    .addHelpText(
      'after',
      "\nExamples:\n  tps tenants list\n  tps tenants list --json | jq -r '.[].tenant_id'",
    )
    .action(({ json }: { json?: true }) =>
      withStore(env, async ({ database }) => {
        const all = await tenantStore.listRecords(database.read);
        if (json) stdout(toJsonText(all.map(toJson)));
        else stdout(toTable(['ID', 'NAME', 'ENVIRONMENT', 'CREATED', 'STATE'], all.map(toRow)));
      }),
    );
}

function addSettings(tenants: Command, { env }: CommandContext): void {
  tenants
    .command('set-limit')
    .argument('<tenant>', 'id of the tenant')
    .argument('<requests>', 'requests per minute, or "default"', toLimit)
    .description(
      'set the rate limit of a tenant in requests per minute, or "default" for the service\'s own limit',
    )
    .addHelpText('after', '\nExamples:\n  tps tenants set-limit tnt_0123 600')
    .action((tenantId: string, limit: number | null) =>
      withStore(env, ({ tenants }) => tenants.setRateLimit(tenantId, limit)),
    );

  tenants
    .command('set-triage')
    .argument('<tenant>', 'id of the tenant')
    .argument('<jobs>', 'jobs at a time, or "off"', toTriages)
    .description(
      'triage new incidents of severity high and critical automatically, up to this many at once; or "off"',
    )
    .addHelpText(
      'after',
      `
Each such incident gets a job whose recommendation waits for a person's review. Incidents opened before this is
switched on are not triaged.

Examples:
  tps tenants set-triage tnt_0123 3
  tps tenants set-triage tnt_0123 off`,
    )
    .action((tenantId: string, jobs: number | null) =>
      withStore(env, ({ tenants }) => tenants.setTriage(tenantId, jobs)),
    );
}

function toRow(tenant: TenantRecord): string[] {
  const { tenantId, name, environment, createdAtMs, deleteAfterMs, requestedDeletion } = tenant;
  const endMs = deleteAfterMs ?? requestedDeletion?.dueAtMs;
  const state = endMs === undefined ? 'active' : `deleted after ${toTimestamp(endMs)}`;
  return [tenantId, name, environment, toTimestamp(createdAtMs), state];
}

function toJson(tenant: TenantRecord) {
  return {
    tenant_id: tenant.tenantId,
    name: tenant.name,
    environment: tenant.environment,
    created_at: toTimestamp(tenant.createdAtMs),
    state: tenant.deleteAfterMs === null ? 'active' : 'deleting',
    delete_after: toOptionalTimestamp(tenant.deleteAfterMs),
    rate_limit_per_minute: tenant.rateLimitPerMinute,
    triage_at_once: tenant.triageAtOnce,
  };
}
