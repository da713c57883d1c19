import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FROM_SOURCE } from '@tps/testing/process';
import { expect, test } from 'vitest';

const LOGGER = fileURLToPath(new URL('./logger.ts', import.meta.url));
const LINES = 30_000;

/** Writes 3 MB to standard output, then closes it. Reports on standard error when the main thread has written all. */
const PROGRAM = `
import { createLogger, openBackgroundOutput } from ${JSON.stringify(LOGGER)};
const warnings = [];
const output = openBackgroundOutput(
  createLogger({ level: 'warn', destination: { write: (line) => void warnings.push(line) } }),
);
for (let line = 0; line < ${LINES}; line += 1) output.write(JSON.stringify({ line, pad: 'x'.repeat(80) }) + '\\n');
process.stderr.write('written\\n');
process.stdin.once('data', async () => {
  await output.close();
  const dropped = warnings.reduce((sum, line) => sum + JSON.parse(line).lines, 0);
  process.stderr.write('dropped ' + dropped + '\\n', () => process.exit());
});
`;

test('output without a reader does not hold the thread, and what is dropped is counted', async () => {
  const child = spawn(process.execPath, [
    ...FROM_SOURCE,
    '--input-type=module-typescript',
    '--eval',
    PROGRAM,
  ]);
  let errors = '';
  const written = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      if (errors.includes('written')) resolve();
    });
    child.once('close', () => reject(new Error(errors)));
  });
  // Nothing is read from standard output until then.
  await written;
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stdin.write('close\n');
  await closed;
  const received = text.split('\n').filter((line) => line !== '');
  for (const line of received) expect(JSON.parse(line)).toMatchObject({ pad: expect.any(String) });
  const [, dropped = ''] = /dropped (\d+)/.exec(errors) ?? [];
  expect(Number(dropped)).toBeGreaterThan(0);
  expect(received.length + Number(dropped)).toBe(LINES);
});
