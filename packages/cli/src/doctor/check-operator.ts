import { X509Certificate } from 'node:crypto';
import { access, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { readServerCommand } from '../operator/server-command.ts';
import { ENV_FILE, loadServiceEnvironment } from '../operator/service-environment.ts';
import { checkValidity } from './check-certificate.ts';
import { type CheckResult, fail, ok, toReason, warn } from './check-result.ts';

const OTHERS = 0o077;

/** Checks the settings, files and store of a service on this machine. Returns nothing where there are no settings. */
export async function checkOperator(context: CommandContext, nowMs: number): Promise<CheckResult[]> {
  const envFile = resolve(context.directory, ENV_FILE);
  const hasFile = await exists(envFile);
  const isSet = Object.keys(context.env).some((name) => name.startsWith('SERVICE_'));
  if (!hasFile && !isSet) return [];
  const env = await loadServiceEnvironment(context, undefined);
  return [
    ...(hasFile ? [await checkPrivate('settings file', envFile)] : []),
    ...(await checkInstallation(env)),
    ...(await checkStoreFile(env, context.directory)),
    ...(await checkTlsFiles(env, context.directory, nowMs)),
  ];
}

interface Problem {
  readonly part: string;
  readonly level: 'error' | 'warning';
  readonly message: string;
}

/** The part of the output of `check --json` that is used. */
interface Installation {
  readonly ok: boolean;
  readonly problems: readonly Problem[];
  readonly secrets: { readonly master_key: 'set' | 'not set' };
}

const NO_KEY = warn(
  'secret key',
  'SERVICE_SECRET_KEY_B64 is not set: webhooks are lost when the service stops.',
  'Set SERVICE_SECRET_KEY_B64 to the output of: openssl rand -base64 32',
);

/** Checks everything that a start needs. Changes nothing and does not migrate the store. */
async function checkInstallation(env: NodeJS.ProcessEnv): Promise<CheckResult[]> {
  try {
    const printed = await readServerCommand(['check', '--json'], env, [1]);
    const { ok: isWell, problems, secrets } = JSON.parse(printed) as Installation;
    const findings = problems.map(({ part, level, message }) =>
      (level === 'warning' ? warn : fail)(part, message, '`tps serve --help` describes each setting.'),
    );
    if (secrets.master_key === 'not set') findings.push(NO_KEY);
    return isWell ? [ok('installation', 'A service can start with these settings.'), ...findings] : findings;
  } catch (error) {
    return [fail('installation', toReason(error), 'Check that the service is installed with tps.')];
  }
}

async function checkStoreFile(env: NodeJS.ProcessEnv, directory: string): Promise<CheckResult[]> {
  const url = env.SERVICE_DATABASE_URL ?? 'sqlite:./data/service.db';
  // An address in a file is that of a PostgreSQL: it contains a password.
  if (env.SERVICE_DATABASE_URL_FILE || !url.startsWith('sqlite:')) return [];
  const path = resolve(directory, url.slice('sqlite:'.length));
  if (!(await exists(path))) return [];
  return [await checkPrivate('store file', path)];
}

async function checkPrivate(check: string, path: string): Promise<CheckResult> {
  const { mode } = await stat(path);
  return process.platform === 'win32' || (mode & OTHERS) === 0
    ? ok(check, `${path} is readable by its owner only.`)
    : fail(check, `Other users can read ${path}.`, `chmod 600 ${path}`);
}

async function checkTlsFiles(
  env: NodeJS.ProcessEnv,
  directory: string,
  nowMs: number,
): Promise<CheckResult[]> {
  const { SERVICE_TLS_CERT_FILE: cert, SERVICE_TLS_KEY_FILE: key } = env;
  if (!cert || !key) return [];
  try {
    const certificate = new X509Certificate(await readFile(resolve(directory, cert)));
    return [
      checkValidity('tls certificate file', certificate, nowMs),
      await checkPrivate('tls key file', resolve(directory, key)),
    ];
  } catch (error) {
    return [
      fail('tls certificate file', toReason(error), 'Check SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE.'),
    ];
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
