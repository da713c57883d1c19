import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { BreachedPasswords } from './breached-passwords.ts';
import { findPasswordProblem } from './password-rules.ts';

const STOLEN = Array.from({ length: 200 }, (_, index) => `stolen password ${index}`);

async function write(lines: readonly string[], end = '\n'): Promise<string> {
  const path = join(newFolder(), 'breached.txt');
  await writeFile(path, lines.map((line) => `${line}${end}`).join(''));
  return path;
}

function hashes(passwords: readonly string[]): string[] {
  return passwords.map((password) => hash('sha1', password, 'hex').toUpperCase()).toSorted();
}

test.each([
  ['hashes', hashes(STOLEN), '\n'],
  [
    'hashes with counts and Windows line ends',
    hashes(STOLEN).map((line, index) => `${line}:${index}`),
    '\r\n',
  ],
  ['a single hash', hashes(STOLEN.slice(0, 1)), ''],
])('each password of a file of %s is found, and no other', async (_name, lines, end) => {
  const list = await BreachedPasswords.open(await write(lines, end));
  const listed = STOLEN.slice(0, lines.length);
  expect(await Promise.all(listed.map((password) => list.has(password)))).toEqual(listed.map(() => true));
  const others = STOLEN.map((password) => `${password}!`);
  expect(await Promise.all(others.map((password) => list.has(password)))).toEqual(others.map(() => false));
  await list.close();
});

test.each([
  ['empty', []],
  ['not sorted', hashes(STOLEN).toReversed()],
  ['not of hashes', ['letmein', 'password']],
])('a file that is %s is refused when the service starts', async (_name, lines) => {
  await expect(BreachedPasswords.open(await write(lines))).rejects.toThrow('SERVICE_BREACHED_PASSWORDS_FILE');
});

test('a password must be 12 to 256 characters, not the address, and not stolen', async () => {
  const breached = await BreachedPasswords.open(await write(hashes(STOLEN)));
  const problemOf = (password: string) =>
    findPasswordProblem({ breached }, { password, email: 'Ann.Lee@x.org' });
  expect(await problemOf('elevenchars')).toContain('at least 12');
  expect(await problemOf('😀'.repeat(11))).toContain('at least 12');
  expect(await problemOf('x'.repeat(257))).toContain('at most 256');
  expect(await problemOf(' ANN.LEE@X.ORG')).toContain('cannot be your e-mail address');
  expect(await problemOf('stolen password 7')).toContain('list of stolen passwords');
  expect(await problemOf('twelve chars')).toBeUndefined();
  await breached.close();
});
