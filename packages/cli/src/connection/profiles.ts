import { mkdir, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** A service and as whom to speak to it. */
export interface Profile {
  readonly url: string;
  readonly credential: string;
  /** The tenant that is meant, where the credential is an operator's. */
  readonly tenant?: string;
}

export interface Profiles {
  /** Name of the profile in use. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Far more than anybody has. */
const MAX_BYTES = 1024 * 1024;
const OTHERS = 0o077;

/** Tells where profiles are kept. */
export function profilesPath(env: CommandContext['env']): string {
  const configHome = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return join(configHome, 'tps', 'config.json');
}

/** Reads the saved profiles. @throws CommandError when others can read the file, or when it is damaged */
export async function readProfiles(env: CommandContext['env']): Promise<Profiles> {
  const path = profilesPath(env);
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw profilesError(`The profiles at ${path} cannot be read.`, error);
  });
  if (!file) return { profiles: {} };
  try {
    const { mode, size } = await file.stat();
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw profilesError(`Others can read the credentials in ${path}. Run: chmod 600 ${path}`);
    }
    if (size > MAX_BYTES) throw profilesError(`${path} is too large to be a file of profiles.`);
    return parseProfiles(await file.readFile('utf8'), path);
  } finally {
    await file.close();
  }
}

/** Saves the profiles for their owner's eyes only. Whoever reads meanwhile sees the old ones or the new ones. */
export async function writeProfiles(env: CommandContext['env'], profiles: Profiles): Promise<void> {
  const path = profilesPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}.new`;
  await rm(fresh, { force: true });
  const file = await open(fresh, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}

function parseProfiles(text: string, path: string): Profiles {
  try {
    const value: unknown = JSON.parse(text);
    if (isProfiles(value)) return value;
  } catch {
    // Said below, without the text: it holds credentials.
  }
  throw profilesError(`${path} is damaged. Mend it, or remove it and run \`tps login\` again.`);
}

function isProfiles(value: unknown): value is Profiles {
  if (!isRecord(value) || !isRecord(value.profiles)) return false;
  if (value.current !== undefined && typeof value.current !== 'string') return false;
  return Object.values(value.profiles).every(isProfile);
}

function isProfile(value: unknown): value is Profile {
  if (!isRecord(value)) return false;
  const { url, credential, tenant } = value;
  const isTenant = tenant === undefined || typeof tenant === 'string';
  return typeof url === 'string' && URL.canParse(url) && typeof credential === 'string' && isTenant;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function profilesError(message: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'profiles', exitCode: EXIT.failure, cause });
}
