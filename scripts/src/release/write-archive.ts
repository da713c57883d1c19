import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/**
 * Packs a folder so that equal files give equal bytes: names in order, one time, one owner, and no permissions that
 * depend on the umask. Node compresses, because its zlib belongs to the version that the lock file names.
 */
export async function writeArchive({
  folder,
  path,
  epoch,
  level,
}: {
  readonly folder: string;
  readonly path: string;
  /** Modification time of all files, in seconds. */
  readonly epoch: number;
  /** Of the compression, from 1 to 9 (default: 6). */
  readonly level?: number;
}): Promise<void> {
  const fixed = ['--format=gnu', '--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0'];
  const args = [...fixed, '--numeric-owner', '--mode=u=rwX,go=rX', '--hard-dereference'];
  const tar = spawn('tar', [...args, '-cf', '-', '-C', dirname(folder), basename(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  const ended = once(tar, 'close');
  await pipeline(tar.stdout, createGzip(level === undefined ? {} : { level }), createWriteStream(path));
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}
