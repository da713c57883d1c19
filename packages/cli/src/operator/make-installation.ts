import { randomBytes } from 'node:crypto';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { readServerCommand } from './server-command.ts';
import { ENV_FILE, loadServiceEnvironment } from './service-environment.ts';

/** What a first use has now. */
export interface Installation {
  readonly tenantId: string;
  /** Of an administrator of the tenant. */
  readonly credential: string;
  readonly envFile: string;
}

/** Length of the key that seals webhook secrets, as the service wants it. */
const KEY_BYTES = 32;

/**
 * Makes the folder and the settings of a service, and in its store a tenant and the credential of an administrator.
 *
 * @throws CommandError when there are settings or a store already; nothing is then changed
 * @throws what `keep` throws, which saves what was made; all is then taken back, since nobody would have the credential
 */
export async function makeInstallation(
  context: CommandContext,
  { directory, name, bind }: { readonly directory: string; readonly name: string; readonly bind: string },
  keep: (made: Installation) => Promise<void>,
): Promise<Installation> {
  const root = resolve(context.directory, directory);
  const envFile = join(root, ENV_FILE);
  const data = join(root, 'data');
  const store = join(data, 'service.db');
  for (const path of [envFile, store]) await requireAbsent(path);
  const settings = settingsOf({ store, bind });
  await mkdir(data, { recursive: true, mode: 0o700 });
  await writeFile(envFile, settings, { flag: 'wx', mode: 0o600 });
  try {
    const env = await loadServiceEnvironment({ env: withoutService(context.env), directory: root }, ENV_FILE);
    const run = async (...args: string[]) =>
      JSON.parse(await readServerCommand([...args, '--json'], env)) as Record<string, string>;
    const { tenant_id: tenantId = '' } = await run('tenants', 'create', name);
    const { token: credential = '' } = await run(
      ...['tokens', 'create', '--tenant', tenantId, '--name', 'first tenant admin'],
    );
    const made = { tenantId, credential, envFile };
    await keep(made);
    return made;
  } catch (error) {
    // So that the same command can be tried again.
    await rm(envFile, { force: true });
    await Promise.all(['', '-wal', '-shm'].map((suffix) => rm(`${store}${suffix}`, { force: true })));
    throw error;
  }
}

function settingsOf({ store, bind }: { store: string; bind: string }): string {
  return `# Settings of the service. \`tps serve --help\` tells what else there is.
SERVICE_DATABASE_URL=${quote(`sqlite:${store}`)}
SERVICE_BIND=${quote(bind)}
# Seals the secrets of webhooks in the store. Keep a copy apart from backups: without it those secrets are lost.
SERVICE_SECRET_KEY_B64="${randomBytes(KEY_BYTES).toString('base64')}"
`;
}

/** The first sign whose content is taken as it stands; there is none to escape with. @throws CommandError */
function quote(value: string): string {
  const sign = ["'", '`'].find((one) => !value.includes(one));
  if (sign !== undefined && !/[\r\n]/.test(value)) return `${sign}${value}${sign}`;
  throw usageError(`Settings cannot hold ${JSON.stringify(value)}: use a name without quotation marks.`);
}

/** The environment goes before the file, and a variable left over in a shell would fill another store. */
function withoutService(env: CommandContext['env']): CommandContext['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SERVICE_')));
}

async function requireAbsent(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  throw new CommandError(`There is ${path} already: this service is set up. Run: tps serve`, {
    code: 'already_set_up',
    exitCode: EXIT.conflict,
  });
}
