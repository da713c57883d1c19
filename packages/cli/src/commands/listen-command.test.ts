import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import type { Context } from '../context.ts';
import { sampleEvent } from '../export/testing/sample-event.ts';
import { addListenCommand } from './listen-command.ts';

const SECRET = 'a-secret-of-the-tests-0123456789';

/** Runs `listen` until the test ends, and gives its address and what it said. */
async function startListening(...args: string[]) {
  const said = { out: '', error: '' };
  const stop = new AbortController();
  let heard: () => void = () => undefined;
  const output = (to: keyof typeof said) => ({
    isTerminal: false,
    columns: undefined,
    write: async (text: string) => {
      said[to] += text;
      heard();
    },
  });
  const context: Context = {
    env: { TPS_WEBHOOK_SECRET: SECRET },
    directory: '/',
    stdin: Readable.from([]),
    stdout: output('out'),
    stderr: output('error'),
    stopSignal: () => stop.signal,
  };
  const until = async (isSaid: () => boolean) => {
    while (!isSaid()) await new Promise<void>((resolve) => (heard = resolve));
  };
  const program = new Command().option('--ndjson').exitOverride();
  addListenCommand(program, context);
  const ended = program.parseAsync(['listen', ...args], { from: 'user' });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  await Promise.race([until(() => said.error.includes('Listening at')), ended]);
  const url = /http:\S+/.exec(said.error)?.[0] ?? '';
  return { url, said, until };
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

test('a delivery that verifies is printed once, however often it comes', async () => {
  const { url, said, until } = await startListening();
  expect((await deliver(url)).status).toBe(200);
  expect((await deliver(url)).status).toBe(200);
  await until(() => said.error.includes('left out'));
  expect(said.out).toBe(
    '2026-03-01T09:30:00.250Z  high  block  malicious_app  dev_reception  evt_1\n'.replace('.250', ''),
  );
});

test('a delivery under another secret is refused, and it is said why', async () => {
  const { url, said, until } = await startListening();
  expect((await deliver(url, { secret: 'another-secret-0123' })).status).toBe(401);
  await until(() => said.error.includes('refused'));
  expect(said.error).toContain('The secret here is not the one that the webhook was registered with.');
  expect((await fetch(url)).status).toBe(405);
  expect(said.out).toBe('');
  expect(said.error).not.toContain(SECRET);
});

test('--ndjson prints the event as it was sent, with nothing that a terminal would obey', async () => {
  const { url, said, until } = await startListening('--ndjson');
  const event = sampleEvent({ description: '\u001b[2J\u009b' });
  await deliver(url, { body: JSON.stringify(event) });
  await until(() => said.out !== '');
  expect(JSON.parse(said.out)).toEqual(event);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(said.out).not.toMatch(/[\u001b\u009b]/);
});
