import { expect, test } from 'vitest';
import { storeGround } from '../testing/store-ground.ts';
import type { AgentStorage } from './storage.ts';

const LIMIT = 1024 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = async (storage: AgentStorage, name: string) =>
  new TextDecoder().decode(await storage.read(name, LIMIT));

test('a storage keeps what was appended and replaced when it is opened again', async () => {
  const { openStorage } = await storeGround();
  const storage = await openStorage();
  const log = await storage.create('log');
  for (const part of ['one ', 'two ', '', 'three']) await log.append(bytes(part));
  await log.sync();
  await storage.replace('state', bytes('old and long'));
  await storage.replace('state', bytes('new'));
  await storage.replace('empty', new Uint8Array());
  await log.close();
  await storage.close();
  const again = await openStorage();
  expect(await textOf(again, 'log')).toBe('one two three');
  expect(await textOf(again, 'state')).toBe('new');
  expect(await textOf(again, 'empty')).toBe('');
  const files = (await again.list()).sort((one, other) => (one.name < other.name ? -1 : 1));
  expect(files).toEqual([
    { name: 'empty', sizeBytes: 0 },
    { name: 'log', sizeBytes: 13 },
    { name: 'state', sizeBytes: 3 },
  ]);
  await again.close();
});

test('a storage belongs to one owner at a time', async () => {
  const { openStorage, openStorageAt } = await storeGround();
  const storage = await openStorage();
  await expect(openStorage()).rejects.toMatchObject({ name: 'StorageError', code: 'in_use' });
  const other = await openStorageAt('other');
  await other.replace('state', bytes('of the other'));
  expect(await storage.list()).toEqual([]);
  await other.close();
  await storage.close();
  await (await openStorage()).close();
});

test('a storage refuses a missing, an existing and a too large file, and invalid names', async () => {
  const { openStorage } = await storeGround();
  const storage = await openStorage();
  await storage.replace('file', bytes('four'));
  await expect(storage.read('none', LIMIT)).rejects.toMatchObject({ code: 'missing' });
  await expect(storage.create('file')).rejects.toMatchObject({ code: 'exists' });
  await expect(storage.read('file', 3)).rejects.toMatchObject({ code: 'too_large' });
  expect(await textOf(storage, 'file')).toBe('four');
  for (const name of ['', '..', 'a/b', 'A', 'x'.repeat(65)]) {
    await expect(storage.replace(name, bytes(''))).rejects.toThrow(TypeError);
  }
  await storage.close();
});

test('a removed file is gone, and removing it again does nothing', async () => {
  const { openStorage } = await storeGround();
  const storage = await openStorage();
  const log = await storage.create('log');
  await log.append(bytes('content'));
  await log.close();
  await storage.remove('log');
  await storage.remove('log');
  expect(await storage.list()).toEqual([]);
  const again = await storage.create('log');
  await again.append(bytes('next'));
  await again.close();
  expect(await textOf(storage, 'log')).toBe('next');
  await storage.close();
});
