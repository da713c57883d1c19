import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../testing/store-ground.ts';
import { openFileStorage } from './file-storage.ts';
import { asStorageErrors } from './file-storage-error.ts';

async function openedStorage() {
  const directory = join(await temporaryDirectory(), 'store');
  const storage = await openFileStorage({ directory });
  onTestFinished(() => storage.close());
  return { directory, storage };
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test('appended bytes are in the file after reopening', async () => {
  const { directory, storage } = await openedStorage();
  const file = await storage.create('a.log');
  await file.append(Buffer.from('one '));
  await file.append(Buffer.from('two'));
  await file.sync();
  await storage.close();
  const again = await openFileStorage({ directory });
  expect(text(await again.read('a.log', 100))).toBe('one two');
  expect(await again.list()).toEqual([{ name: 'a.log', sizeBytes: 7 }]);
  await again.close();
});

test('only the owner can read the directory and its files', async () => {
  const { directory, storage } = await openedStorage();
  await (await storage.create('a.log')).close();
  await storage.replace('b.key', Buffer.from('b'));
  const modes = await Promise.all(
    ['.', 'a.log', 'b.key'].map(async (name) => (await stat(join(directory, name))).mode),
  );
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
});

test('failures have codes', async () => {
  const { storage } = await openedStorage();
  await storage.create('a.log');
  await storage.replace('b.key', Buffer.from('0123456789'));
  await expect(storage.create('a.log')).rejects.toMatchObject({ name: 'StorageError', code: 'exists' });
  await expect(storage.read('none', 10)).rejects.toMatchObject({ code: 'missing' });
  await expect(storage.read('b.key', 9)).rejects.toMatchObject({ code: 'too_large' });
  await expect(storage.remove('none')).resolves.toBeUndefined();
});

test.each([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read_only'],
  ['EIO', 'failed'],
])('the system error %s becomes %s', async (code, expected) => {
  const failing = asStorageErrors('Writing', () => Promise.reject(Object.assign(new Error(code), { code })));
  await expect(failing).rejects.toMatchObject({ name: 'StorageError', code: expected });
});

test.each(['', '.', '..', '../a', 'a/b', 'A', 'a b', 'lock-1', '~a', 'x'.repeat(65)])(
  'the name %j is rejected',
  async (name) => {
    const { storage } = await openedStorage();
    const calls = [
      () => storage.read(name, 1),
      () => storage.create(name),
      () => storage.replace(name, new Uint8Array()),
      () => storage.remove(name),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toThrow(TypeError);
    }
  },
);

test('a symbolic link is neither read, written nor listed', async () => {
  const { directory, storage } = await openedStorage();
  await writeFile(join(directory, '..', 'outside'), 'secret');
  await symlink('../outside', join(directory, 'a.log'));
  expect(await storage.list()).toEqual([]);
  await expect(storage.read('a.log', 100)).rejects.toMatchObject({ name: 'StorageError' });
  await expect(storage.create('a.log')).rejects.toMatchObject({ code: 'exists' });
});

test('leftovers of an interrupted replacement are gone after reopening', async () => {
  const { directory, storage } = await openedStorage();
  await storage.replace('b.key', Buffer.from('old'));
  await writeFile(join(directory, '~b.key'), 'half of what w');
  expect(await storage.list()).toEqual([{ name: 'b.key', sizeBytes: 3 }]);
  await storage.close();
  const again = await openFileStorage({ directory });
  expect((await readdir(directory)).filter((name) => name.startsWith('~'))).toEqual([]);
  expect(text(await again.read('b.key', 10))).toBe('old');
  await again.close();
});

test('a directory can be opened once at a time', async () => {
  const { directory, storage } = await openedStorage();
  await expect(openFileStorage({ directory })).rejects.toMatchObject({ code: 'in_use' });
  await storage.close();
  const again = await openFileStorage({ directory });
  await again.close();
});

test('a killed process does not lock others out, and of many openers exactly one succeeds', async () => {
  const directory = await temporaryDirectory();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await symlink(`${child.pid}.`, join(directory, 'lock-7'));
  await expect(openFileStorage({ directory })).rejects.toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => openFileStorage({ directory })));
  const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  expect(opened).toHaveLength(1);
  expect(new Set(reasons)).toEqual(new Set(['in_use']));
  await opened[0]?.close();
});

test.runIf(process.platform === 'linux')(
  'a process with the pid of the killed one is not mistaken for it',
  async () => {
    const directory = await temporaryDirectory();
    await symlink(`${process.pid}.0a0b0c0d-1`, join(directory, 'lock-3'));
    const storage = await openFileStorage({ directory });
    await storage.close();
  },
);

test('a removed file is gone, and a folder of that name is not touched', async () => {
  const { directory, storage } = await openedStorage();
  await mkdir(join(directory, 'folder'));
  await storage.replace('b.key', Buffer.from('secret'));
  await storage.remove('b.key');
  expect(await storage.list()).toEqual([]);
  expect(await readdir(directory)).toContain('folder');
});
