import type { Command } from 'commander';
import { tenantStore } from '../../features/tenants/index.ts';
import { toName, toWholeNumber } from './arguments.ts';
import type { Surroundings } from './surroundings.ts';
import { withStore } from './with-store.ts';

/** As much as the service's own limit may be. */
const MAX_LIMIT = 1_000_000;
const toLimit = toWholeNumber([1, MAX_LIMIT], 'default');

export function addTenantCommands(program: Command, { env, print }: Surroundings): void {
  const tenants = program.command('tenants').description('make and limit tenants');

  tenants
    .command('create')
    .argument('<name>', 'what people call it', toName)
    .description('make a tenant')
    .option('--test', 'for trials: its credentials begin with svc_test_')
    .addHelpText('after', '\nExample:\n  npm start -- tenants create "Example Ltd" --test')
    .action((name: string, { test }: { test?: true }) =>
      withStore(env, async ({ database, tenants }) => {
        const environment = test ? 'test' : 'live';
        const tenant = await database.transaction((tx) => tenants.create(tx, { name, environment }));
        print(tenant.tenantId);
      }),
    );

  tenants
    .command('list')
    .description('list the ids of all tenants, oldest first')
    .action(() =>
      withStore(env, async ({ database }) => {
        for (const tenantId of await tenantStore.list(database.read)) print(tenantId);
      }),
    );

  tenants
    .command('set-limit <tenant> <requests>')
    .description(
      'set the most requests per minute of a tenant; "default" gives it back to the service\'s own',
    )
    .addHelpText('after', '\nExample:\n  npm start -- tenants set-limit tnt_0123 600')
    .action((tenantId: string, requests: string) =>
      withStore(env, ({ tenants }) => tenants.setRateLimit(tenantId, toLimit(requests))),
    );
}
