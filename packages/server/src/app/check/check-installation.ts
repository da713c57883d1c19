import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toSqlitePath } from '../../database/index.ts';
import { BreachedPasswords } from '../../features/accounts/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, ConfigError, loadConfig } from '../../platform/config/config.ts';
import { isSet } from '../../platform/config/config-environment.ts';
import { isSensitive } from '../../platform/outbound/allowed-networks.ts';
import { loadTlsContext } from '../../platform/tls/tls-files.ts';
import { describeFailure } from '../describe-failure.ts';
import { checkStore, type StoreState } from './check-store.ts';
import type { Problem } from './problem.ts';

/** Less than a busy installation writes in a day: about 1.2 KB per event, twice while a backup is made. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;

/** The result of the check. Parts that could not be checked are null. */
export interface Installation {
  readonly ok: boolean;
  readonly problems: readonly Problem[];
  readonly store: StoreState | null;
  readonly secrets: { readonly master_key: 'set' | 'not set' };
  readonly webhooks: { readonly allowed_networks: readonly string[] } | null;
  readonly disk: { readonly path: string; readonly free_bytes: number } | null;
}

/**
 * Checks everything that a service started in this environment needs. Can run beside a running service, and changes
 * nothing.
 */
export async function checkInstallation(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Installation> {
  const problems: Problem[] = [];
  const masterKey = isSet('SERVICE_SECRET_KEY_B64', env) ? 'set' : 'not set';
  const config = readConfig(env, problems);
  if (config) checkTls(config, problems);
  if (config) await checkAccounts(config, problems);
  const webhooks = config ? checkWebhooks(config, problems) : null;
  const store = config ? await checkStore(config, problems) : null;
  const disk = config ? await checkDisk(config, problems) : null;
  const ok = problems.every(({ level }) => level === 'warning');
  return { ok, problems, store, secrets: { master_key: masterKey }, webhooks, disk };
}

function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  problems: Problem[],
): Config | undefined {
  try {
    const config = loadConfig(env);
    for (const message of config.warnings)
      problems.push({ part: 'configuration', level: 'warning', message });
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const message of error.problems) problems.push({ part: 'configuration', level: 'error', message });
    return undefined;
  }
}

function checkTls({ tls }: Config, problems: Problem[]): void {
  if (!tls) return;
  try {
    const { warnings } = loadTlsContext(tls, systemClock.now());
    for (const message of warnings) problems.push({ part: 'tls', level: 'warning', message });
  } catch (error) {
    problems.push({ part: 'tls', level: 'error', message: describeFailure(error) });
  }
}

async function checkAccounts({ auth }: Config, problems: Problem[]): Promise<void> {
  if (auth.breachedPasswordsFile === undefined) return;
  try {
    const list = await BreachedPasswords.open(auth.breachedPasswordsFile);
    await list.close();
  } catch (error) {
    problems.push({ part: 'accounts', level: 'error', message: describeFailure(error) });
  }
}

/** What webhooks may target beside public addresses. */
function checkWebhooks({ webhooks }: Config, problems: Problem[]): Installation['webhooks'] {
  const { allowedNetworks, caFile } = webhooks;
  const sensitive = allowedNetworks.filter(isSensitive).map(({ text }) => text);
  if (sensitive.length > 0) {
    const message =
      `SERVICE_WEBHOOK_ALLOWED_NETWORKS lists ${sensitive.join(', ')}: everyone who may create webhooks can make the ` +
      'service call this machine, its neighbours or the metadata service of its cloud.';
    problems.push({ part: 'webhooks', level: 'warning', message });
  }
  try {
    if (caFile !== undefined) new X509Certificate(readFileSync(caFile));
  } catch (error) {
    const message = `SERVICE_WEBHOOK_CA_FILE cannot be used: ${describeFailure(error)}`;
    problems.push({ part: 'webhooks', level: 'error', message });
  }
  return { allowed_networks: allowedNetworks.map(({ text }) => text) };
}

/** For SQLite only, the disk is part of the check. */
export async function checkDisk(
  { database }: Pick<Config, 'database'>,
  problems: Problem[],
): Promise<Installation['disk']> {
  if (database.engine !== 'sqlite') return null;
  let path = dirname(toSqlitePath(database.url.reveal()));
  // The directory of a store that does not exist yet.
  while (!existsSync(path)) path = dirname(path);
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  if (free < MIN_FREE_BYTES) {
    const message = `${path} has ${free} bytes free; free up space, or move the store (SERVICE_DATABASE_URL)`;
    problems.push({ part: 'disk', level: 'warning', message });
  }
  return { path, free_bytes: free };
}
