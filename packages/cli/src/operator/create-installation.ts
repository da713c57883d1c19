import { randomBytes } from 'node:crypto';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { readServerCommand } from './server-command.ts';
import { ENV_FILE, loadServiceEnvironment } from './service-environment.ts';

/** What `tps init` has created. */
export interface Installation {
  readonly tenantId: string;
  /** Credential of an administrator of the tenant. */
  readonly credential: string;
  /** Makes a person the first admin of the tenant. */
  readonly adminLink: string;
  readonly envFile: string;
}

export interface WantedInstallation {
  readonly directory: string;
  /** Name of the tenant. */
  readonly name: string;
  readonly bind: string;
  /** The address that people and programs use, if it does not follow from `bind`. */
  readonly baseUrl?: string | undefined;
}

/** Length of the key that encrypts webhook secrets. */
const KEY_BYTES = 32;

/**
 * Creates the data directory, the settings and the store of a service, with a tenant and the credential of an
 * administrator. `save` stores the result; if it fails, everything is removed, because the credential would be lost.
 *
 * @throws CommandError when settings or a store exist already; nothing is changed then
 */
export async function createInstallation(
  context: CommandContext,
  { directory, name, bind, baseUrl }: WantedInstallation,
  save: (installation: Installation) => Promise<void>,
): Promise<Installation> {
  const root = resolve(context.directory, directory);
  const envFile = join(root, ENV_FILE);
  const data = join(root, 'data');
  const store = join(data, 'service.db');
  for (const path of [envFile, store]) await requireAbsent(path);
  const settings = toSettings({ store, bind, baseUrl });
  await mkdir(data, { recursive: true, mode: 0o700 });
  await writeFile(envFile, settings, { flag: 'wx', mode: 0o600 });
  try {
    const env = await loadServiceEnvironment({ env: withoutService(context.env), directory: root }, ENV_FILE);
    const run = async (...args: string[]) =>
      JSON.parse(await readServerCommand([...args, '--json'], env)) as Record<string, string>;
    const { tenant_id: tenantId = '' } = await run('tenants', 'create', name);
    const { token: credential = '' } = await run(
      'tokens',
      'create',
      '--tenant',
      tenantId,
      '--name',
      'first tenant admin',
    );
    const { link: adminLink = '' } = await run('admin-link', '--tenant', tenantId);
    const installation = { tenantId, credential, adminLink, envFile };
    await save(installation);
    return installation;
  } catch (error) {
    // The same command can then be run again.
    await rm(envFile, { force: true });
    await Promise.all(['', '-wal', '-shm'].map((suffix) => rm(`${store}${suffix}`, { force: true })));
    throw error;
  }
}

function toSettings({
  store,
  bind,
  baseUrl,
}: Pick<WantedInstallation, 'bind' | 'baseUrl'> & { store: string }): string {
  return `# Settings of the service. \`tps serve --help\` lists all settings.
SERVICE_DATABASE_URL=${quote(`sqlite:${store}`)}
SERVICE_BIND=${quote(bind)}
${baseUrl === undefined ? '' : `SERVICE_BASE_URL=${quote(baseUrl)}\n`}# Encrypts webhook secrets in the store. Keep a copy outside the backups: without this key the secrets are lost.
SERVICE_SECRET_KEY_B64="${randomBytes(KEY_BYTES).toString('base64')}"
`;
}

/** Quotes a value with the first quotation mark it does not contain: the format has no escapes. @throws CommandError */
function quote(value: string): string {
  const mark = ["'", '`'].find((one) => !value.includes(one));
  if (mark !== undefined && !/[\r\n]/.test(value)) return `${mark}${value}${mark}`;
  throw usageError(
    `${JSON.stringify(value)} cannot be written to ${ENV_FILE}: use a name without quotation marks and line breaks.`,
  );
}

/** Removes SERVICE_ variables: they would take precedence over the file and select another store. */
function withoutService(env: CommandContext['env']): CommandContext['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SERVICE_')));
}

async function requireAbsent(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (!exists) return;
  throw new CommandError(`${path} exists already: this service is set up. Run: tps serve`, {
    code: 'already_set_up',
    exitCode: EXIT.conflict,
  });
}
