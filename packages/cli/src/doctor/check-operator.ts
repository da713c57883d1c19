import { X509Certificate } from 'node:crypto';
import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { runServerProgram } from '../operator/server-program.ts';
import { ENV_FILE, readServiceEnvironment } from '../operator/service-environment.ts';
import { checkValidity } from './check-certificate.ts';
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts';

const KEY_BYTES = 32;
const OTHERS = 0o077;
const GIB = 1024 ** 3;
const WARN_FREE_BYTES = 2 * GIB;
const FAIL_FREE_BYTES = 0.2 * GIB;

/** Looks at a service's own settings, files and store, where they are on this machine; gives nothing elsewhere. */
export async function checkOperator(context: Context, nowMs: number): Promise<Finding[]> {
  const envFile = resolve(context.directory, ENV_FILE);
  const hasFile = await isThere(envFile);
  const isSet = Object.keys(context.env).some((name) => name.startsWith('SERVICE_'));
  if (!hasFile && !isSet) return [];
  const env = await readServiceEnvironment(context, undefined);
  return [
    ...(hasFile ? [await checkPrivate('settings file', envFile)] : []),
    await checkStoreByProgram(env, context.directory),
    checkSecretKey(env.SERVICE_SECRET_KEY_B64),
    ...(await checkStoreFile(env.SERVICE_DATABASE_URL ?? 'sqlite:./data/service.db', context.directory)),
    ...(await checkTlsFiles(env, context.directory, nowMs)),
  ];
}

/** The service's own program reads the settings and opens the store, as it would at a start. */
async function checkStoreByProgram(env: NodeJS.ProcessEnv, directory: string): Promise<Finding> {
  try {
    const tenants = JSON.parse(
      await runServerProgram(['tenants', 'list', '--json'], { env, directory }),
    ) as unknown;
    const count = Array.isArray(tenants) ? `, with ${tenants.length} tenants` : '';
    return ok('settings and store', `The settings are valid and the store opens${count}.`);
  } catch (error) {
    return fail(
      'settings and store',
      reasonOf(error),
      'Correct the settings; `tps serve --help` explains each.',
    );
  }
}

/** Tells whether the key that seals webhook secrets is one. Never shows it. */
export function checkSecretKey(text: string | undefined): Finding {
  const makeOne = `openssl rand -base64 ${KEY_BYTES}`;
  if (!text) {
    return warn(
      'secret key',
      'There is none: webhooks are forgotten at each stop.',
      `Set SERVICE_SECRET_KEY_B64: ${makeOne}`,
    );
  }
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text
    ? ok('secret key', 'Present and well-formed. Keep a copy apart from backups.')
    : fail('secret key', `SERVICE_SECRET_KEY_B64 is not ${KEY_BYTES} bytes in canonical base64.`, makeOne);
}

async function checkStoreFile(url: string, directory: string): Promise<Finding[]> {
  if (!url.startsWith('sqlite:')) return [];
  const path = resolve(directory, url.slice('sqlite:'.length));
  if (!(await isThere(path))) return [];
  return [await checkPrivate('store file', path), await checkWritable(path), await checkSpace(dirname(path))];
}

async function checkPrivate(check: string, path: string): Promise<Finding> {
  const { mode } = await stat(path);
  return process.platform === 'win32' || (mode & OTHERS) === 0
    ? ok(check, `${path} is its owner's alone.`)
    : fail(check, `Others can read ${path}.`, `chmod 600 ${path}`);
}

async function checkWritable(path: string): Promise<Finding> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    await access(dirname(path), constants.W_OK);
    return ok('store access', 'The store can be written.');
  } catch (error) {
    return fail(
      'store access',
      reasonOf(error),
      'Run as the user of the service, or give it the file and its folder.',
    );
  }
}

async function checkSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const free = `${(freeBytes / GIB).toFixed(1)} GiB are free beside the store.`;
  const mend = 'Make room: a full disk stops ingest. `tps retention` tells what could go.';
  if (freeBytes < FAIL_FREE_BYTES) return fail('disk', free, mend);
  return freeBytes < WARN_FREE_BYTES ? warn('disk', free, mend) : ok('disk', free);
}

async function checkTlsFiles(env: NodeJS.ProcessEnv, directory: string, nowMs: number): Promise<Finding[]> {
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
      fail(
        'tls certificate file',
        reasonOf(error),
        'SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE name the files.',
      ),
    ];
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
