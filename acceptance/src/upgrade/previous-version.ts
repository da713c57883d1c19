import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { type SpawnedService, spawnProgram, spawnService } from '@tps/testing/process';

const ROOT = join(import.meta.dirname, '../../..');
const PREVIOUS = join(import.meta.dirname, 'previous');

/** The last release, unpacked: its own code, with the libraries of this checkout. */
export interface PreviousVersion {
  readonly version: string;
  /** The file that runs its service and its commands. */
  readonly program: string;
  /** Its OpenAPI document. */
  readonly document: object;
}

/** Unpacks what `npm run previous-version` has packed. */
export function unpackPreviousVersion(): PreviousVersion {
  const [archive = '', ...others] = readdirSync(PREVIOUS);
  const version = /^tps-(.+)\.tar\.gz$/.exec(archive)?.[1];
  if (version === undefined || others.length > 0) throw new Error(`${PREVIOUS} must have one version`);
  const folder = newFolder();
  execFileSync('tar', ['--extract', '--gzip', '--file', join(PREVIOUS, archive), '--directory', folder]);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    version,
    program: join(folder, 'server/src/app/main.mjs'),
    document: JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as object,
  };
}

export interface PreviousService extends SpawnedService {
  readonly tenantId: string;
  /** The credential of the tenant admin. */
  readonly admin: string;
}

/** Starts the service of the last release on an empty store. */
export async function startPrevious(
  { program }: PreviousVersion,
  env: Readonly<Record<string, string>>,
): Promise<PreviousService> {
  const service = await spawnService({ program, env });
  const [, tenantId, admin] =
    /^ {2}tenant +(\S+)$[\s\S]*^ {2}tenant admin +(\S+)$/m.exec(service.output()) ?? [];
  if (tenantId === undefined || admin === undefined)
    throw new Error(`the first start printed no credentials:\n${service.output()}`);
  return { ...service, tenantId, admin };
}

/** Runs a command of the last release, or its service, to its end. */
export function runPrevious(
  { program }: PreviousVersion,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return spawnProgram({ program, args, env }).ended;
}
