import { mkdir, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** A saved service and credential. */
export interface Profile {
  readonly url: string;
  readonly credential: string;
  /** The tenant to use with an operator credential. */
  readonly tenant?: string;
}

export interface Profiles {
  /** Name of the profile in use. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Far larger than any real file. */
const MAX_BYTES = 1024 * 1024;
const OTHERS = 0o077;

/** Returns the path of the profiles file. */
export function profilesPath(env: CommandContext['env']): string {
  const configHome = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return join(configHome, 'tps', 'config.json');
}

/** Reads the saved profiles. @throws CommandError when other users can read the file, or when it is damaged */
export async function readProfiles(env: CommandContext['env']): Promise<Profiles> {
  const path = profilesPath(env);
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw profilesError(`Cannot read the profiles in ${path}.`, error);
  });
  if (!file) return { profiles: {} };
  try {
    const { mode, size } = await file.stat();
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw profilesError(`Other users can read the credentials in ${path}. Run: chmod 600 ${path}`);
    }
    if (size > MAX_BYTES) throw profilesError(`${path} is too large for a profiles file.`);
    return parseProfiles(await file.readFile('utf8'), path);
  } finally {
    await file.close();
  }
}

/** Saves the profiles, readable by their owner only. The file is replaced atomically. */
export async function writeProfiles(env: CommandContext['env'], profiles: Profiles): Promise<void> {
  const path = profilesPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.new`;
  await rm(temporary, { force: true });
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

function parseProfiles(text: string, path: string): Profiles {
  try {
    const value: unknown = JSON.parse(text);
    if (isProfiles(value)) return value;
  } catch {
    // Reported below without the text, which contains credentials.
  }
  throw profilesError(`${path} is damaged. Fix it, or remove it and run \`tps login\` again.`);
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
