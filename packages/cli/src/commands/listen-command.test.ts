import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandContext } from '../command-context.ts';
import { sampleEvent } from '../export/testing/sample-event.ts';
import { EXIT } from '../output/exit-codes.ts';
import { addListenCommand } from './listen-command.ts';

const SECRET = 'a-secret-of-the-tests-0123456789';

/** A context whose output is read while the command runs. */
function newContext(secret: string) {
  const output = { stdout: '', stderr: '' };
  const stop = new AbortController();
  let notify: () => void = () => undefined;
  const writeTo = (to: keyof typeof output) => ({
    isTerminal: false,
    columns: undefined,
    write: async (text: string) => {
      output[to] += text;
      notify();
    },
  });
  const context: CommandContext = {
    env: { TPS_WEBHOOK_SECRET: secret },
    directory: '/',
    stdin: Readable.from([]),
    stdout: writeTo('stdout'),
    stderr: writeTo('stderr'),
    stopSignal: () => stop.signal,
  };
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await new Promise<void>((resolve) => (notify = resolve));
  };
  return { context, output, stop, until };
}

function runListen(context: CommandContext, args: readonly string[] = []): Promise<unknown> {
  const program = new Command().option('--ndjson').exitOverride();
  addListenCommand(program, context);
  return program.parseAsync(['listen', ...args], { from: 'user' });
}

/** Runs `listen` until the test ends. Returns its address and its output. */
async function startListening(...args: string[]) {
  const { context, output, stop, until } = newContext(SECRET);
  const ended = runListen(context, args);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  await Promise.race([until(() => output.stderr.includes('Listening at')), ended]);
  const url = /http:\S+/.exec(output.stderr)?.[0] ?? '';
  return { url, output, until };
}

function deliver(url: string, { secret = SECRET, body = JSON.stringify(sampleEvent()) } = {}) {
  const at = String(Math.floor(Date.now() / 1000));
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest();
  return fetch(url, {
    method: 'POST',
    body,
    headers: {
      'x-service-signature': hmac(body).toString('hex'),
      'x-service-timestamp': at,
      'x-service-idempotency-key': 'dlv_1.1',
      'webhook-id': 'evt_1',
      'webhook-timestamp': at,
      'webhook-signature': `v1,${hmac(`evt_1.${at}.${body}`).toString('base64')}`,
    },
  });
}

test('a verified delivery is printed once, even when it is repeated', async () => {
  const { url, output, until } = await startListening();
  expect((await deliver(url)).status).toBe(200);
  expect((await deliver(url)).status).toBe(200);
  await until(() => output.stderr.includes('skipped'));
  expect(output.stdout).toBe(
    '2026-03-01T09:30:00.250Z  high  block  malicious_app  dev_reception  evt_1\n'.replace('.250', ''),
  );
});

test('a delivery with another secret is rejected with the reason', async () => {
  const { url, output, until } = await startListening();
  expect((await deliver(url, { secret: 'another-secret-0123' })).status).toBe(401);
  await until(() => output.stderr.includes('rejected'));
  expect(output.stderr).toContain('The secret differs from the secret of the webhook.');
  expect((await fetch(url)).status).toBe(405);
  expect(output.stdout).toBe('');
  expect(output.stderr).not.toContain(SECRET);
});

test('--ndjson prints the event as sent, without terminal control characters', async () => {
  const { url, output, until } = await startListening('--ndjson');
  const event = sampleEvent({ description: '\u001b[2J\u009b' });
  await deliver(url, { body: JSON.stringify(event) });
  await until(() => output.stdout !== '');
  expect(JSON.parse(output.stdout)).toEqual(event);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(output.stdout).not.toMatch(/[\u001b\u009b]/);
});

test('an incomplete secret is reported before anything is received', async () => {
  const { context, output } = newContext('whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVV');
  await expect(runListen(context)).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(/secret.*whsec_.*Base64/),
  });
  expect(output.stderr).toBe('');
});
