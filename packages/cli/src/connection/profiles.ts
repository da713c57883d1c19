import { mkdir, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** A saved service and credential. */
export interface Profile {
  readonly url: string;
  /** A token, or the access token of a person who has signed in. */
  readonly credential: string;
  /** How to renew the access token. Absent for a token. */
  readonly oauth?: SignIn;
  /** The tenant to use with an operator credential. */
  readonly tenant?: string;
}

/** The sign-in of a person. The names are those of the file. */
interface SignIn {
  readonly auth_url: string;
  /** Works once: it is replaced together with the access token. */
  readonly refresh_token: string;
  /** When the access token ends, in milliseconds since the epoch. */
  readonly expires_at_ms: number;
}

export interface Profiles {
  /** Name of the profile in use. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Far larger than any real file. */
const MAX_BYTES = 1024 * 1024;
const OTHERS = 0o077;
const LOCK_PAUSE_MS = 50;
/** Longer than a refresh of an access token takes. */
const MAX_LOCK_WAIT_MS = 60_000;

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

/** Changes the profiles. Other processes wait, so that no change is lost. */
export function updateProfiles(
  env: CommandContext['env'],
  change: (profiles: Profiles) => Profiles,
): Promise<void> {
  return withProfilesLock(env, async () => writeProfiles(env, change(await readProfiles(env))));
}

/** Runs a task while no other process changes the profiles. */
export async function withProfilesLock<Result>(
  env: CommandContext['env'],
  task: () => Promise<Result>,
): Promise<Result> {
  const directory = dirname(profilesPath(env));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { lockDirectory, StorageError } = await import('@tps/agent');
  for (let waitedMs = 0; ; waitedMs += LOCK_PAUSE_MS) {
    const release = await lockDirectory(directory).catch((error: unknown) => {
      if (!(error instanceof StorageError && error.code === 'in_use')) throw error;
      if (waitedMs >= MAX_LOCK_WAIT_MS) throw profilesError(`${error.message}. Wait until it ends.`, error);
      return undefined;
    });
    if (!release) {
      await setTimeout(LOCK_PAUSE_MS);
      continue;
    }
    try {
      return await task();
    } finally {
      await release();
    }
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
  const { url, credential, tenant, oauth } = value;
  const isTenant = tenant === undefined || typeof tenant === 'string';
  if (oauth !== undefined && !isSignIn(oauth)) return false;
  return typeof url === 'string' && URL.canParse(url) && typeof credential === 'string' && isTenant;
}

function isSignIn(value: unknown): value is SignIn {
  if (!isRecord(value)) return false;
  const { auth_url: authUrl, refresh_token: refreshToken, expires_at_ms: expiresAtMs } = value;
  const isUrl = typeof authUrl === 'string' && URL.canParse(authUrl);
  return isUrl && typeof refreshToken === 'string' && typeof expiresAtMs === 'number';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function profilesError(message: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'profiles', exitCode: EXIT.failure, cause });
}
