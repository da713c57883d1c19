import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { createTestContext } from '@tps/testing/tps';
import { expect, test } from 'vitest';
import { ExitError } from '../output/command-error.ts';
import { commandTarget } from './command-target.ts';

interface Options {
  readonly stop?: AbortSignal;
  readonly isEndless?: boolean;
  readonly pauseMs?: number;
  readonly maxRunMs?: number;
}

function open(command: string, { pauseMs = 0, ...options }: Options = {}) {
  const directory = newFolder();
  const { stop = new AbortController().signal, isEndless = false, maxRunMs = 300_000 } = options;
  const { context, stderr } = createTestContext({ directory, env: { PATH: process.env.PATH ?? '' } });
  const target = commandTarget(command, { context, stop, isEndless, maxRunMs, pauseMs: () => pauseMs });
  return { target, stderr, read: (name: string) => readFile(join(directory, name), 'utf8') };
}

test('a page is sent again until the command ends with the exit code 0', async () => {
  const failTwice = 'cat >> taken; echo x >> runs; [ "$(wc -l < runs)" -gt 2 ] || exit 22';
  const { target, stderr, read } = open(failTwice);
  await target.write('page\n');
  expect(await read('taken')).toBe('page\npage\npage\n');
  expect(stderr()).toBe('tps: The command ended with exit code 22. Retrying.\n');
});

test.each([
  ['exit 7', 'The command ended with exit code 7.'],
  ['kill -9 $$', 'The command ended with SIGKILL.'],
  ['no-such-program-of-tps 2> /dev/null', 'The command ended with exit code 127.'],
  ['head -c 1 > /dev/null', 'The command ended before it had read the whole page.'],
])('the command `%s` does not acknowledge a page', async (command, reason) => {
  const { target } = open(command);
  // More than the buffers of a pipe hold.
  const failure = target.write('x'.repeat(8_000_000));
  await expect(failure).rejects.toMatchObject({ message: expect.stringContaining(reason), exitCode: 1 });
  await expect(failure).rejects.toThrow('It failed 5 times. The page is not acknowledged');
});

test('a stop ends the retries without an error', async () => {
  const stop = new AbortController();
  const { target, stderr } = open('exit 1', { stop: stop.signal, isEndless: true, pauseMs: 3_600_000 });
  const written = target.write('page\n');
  await expect.poll(stderr).toContain('Retrying');
  stop.abort();
  await expect(written).rejects.toBeInstanceOf(ExitError);
  expect(stderr()).toContain('the next run sends it again');
});

test('a program that the command leaves running does not delay the next page', async () => {
  const { target, read } = open('cat > taken; sleep 60 & echo $! > pid');
  await target.write('page\n');
  expect(await read('taken')).toBe('page\n');
  process.kill(Number(await read('pid')));
});

test('a command that hangs is ended with all its programs, and its page sent again', async () => {
  const hangOnce = 'cat >> taken; [ -e hung ] || { touch hung; sleep 600 | cat; }';
  const { target, stderr, read } = open(hangOnce, { maxRunMs: 1_000 });
  await target.write('page\n');
  expect(await read('taken')).toBe('page\npage\n');
  expect(stderr()).toBe('tps: The command did not end within 1 s. Retrying.\n');
});

test('a stop ends a command that hangs, and its page is not acknowledged', async () => {
  const stop = new AbortController();
  const { target, stderr, read } = open('cat > taken; sleep 600 | cat', { stop: stop.signal });
  const written = target.write('page\n');
  await expect.poll(() => read('taken').catch(() => '')).toBe('page\n');
  stop.abort();
  await expect(written).rejects.toMatchObject({ exitCode: 130 });
  expect(stderr()).toContain('the next run sends it again');
});
