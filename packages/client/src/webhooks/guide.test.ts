import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { EVENT, SECRET, signDelivery } from './testing/sign-delivery.ts';
import { startReceiver } from './testing/start-receiver.ts';
import { verifyWebhook } from './verify-webhook.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const DOCUMENTED = { secret: 'example-secret-of-the-documentation', timestampS: 1_772_442_904 };

/** Returns the first code block of a language that contains a text. */
function findCode(language: string, containing: string): string {
  const blocks = [...GUIDE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const [, , code] = blocks.find(([, name, text]) => name === language && text?.includes(containing)) ?? [];
  if (code === undefined) throw new Error(`the guide has no ${language} with ${containing}`);
  return code;
}

function readDocumentedDelivery() {
  const [head = '', rawBody = ''] = findCode('http', 'X-Service-Signature').trimEnd().split('\n\n');
  const lines = head.split('\n').slice(1);
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
  return { headers, rawBody };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tps-guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Without standard input: bash mistakes a socket for a remote login and reads its startup files. */
function runShell(code: string, env: Readonly<Record<string, string>> = {}): string {
  return execFileSync('bash', ['-euo', 'pipefail', '-c', code], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
}

function isInstalled(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('the delivery in the guide verifies with the secret in the guide', async () => {
  const { secret, timestampS: nowS } = DOCUMENTED;
  expect(GUIDE).toContain(`\`${secret}\``);
  const verified = await verifyWebhook({ ...readDocumentedDelivery(), secrets: [secret], nowS });
  expect(verified).toMatchObject({ eventId: 'evt_01hzy7q0x3', timestamp: nowS, isTimestampSigned: true });
});

test('the commands of the guide print what the guide shows, which is in the delivery', () => {
  const printed = runShell(findCode('sh', DOCUMENTED.secret));
  expect(printed).toBe(findCode('text', ''));
  const [hex, base64] = printed.split('\n');
  expect(readDocumentedDelivery().headers).toMatchObject({
    'X-Service-Signature': hex,
    'webhook-signature': `v1,${base64}`,
  });
});

test('the TypeScript of the guide is identical to the example', () => {
  const example = readFileSync(join(ROOT, 'examples/webhook-receivers/src/node-http.ts'), 'utf8');
  expect(findCode('ts', 'nodeWebhookListener')).toBe(example);
});

test('the lines with verifyWebhook work as described', async () => {
  const code = findCode('js', 'verifyWebhook').replace(/^import .*$/m, '');
  const names = ['verifyWebhook', 'WebhookVerificationError', 'process', 'headers', 'rawBody'];
  const run = new Function(...names, `return (async () => {${code}})()`) as (
    ...given: unknown[]
  ) => Promise<string>;
  const timestampS = Math.floor(Date.now() / 1000);
  const { body, headers } = signDelivery({ timestampS });
  const given = [verifyWebhook, WebhookVerificationError, { env: { WEBHOOK_SECRET: SECRET } }, headers];
  expect(await run(...given, body)).toBe(`${EVENT.event_id} of ${timestampS} is a phishing`);
  expect(await run(...given, `${body} `)).toBe('refused: signature_mismatch');
});

type Post = (delivery: {
  body: string;
  headers: Record<string, string>;
}) => Promise<[status: number, said: string]>;

async function expectRightAnswers(post: Post): Promise<void> {
  const timestampS = Math.floor(Date.now() / 1000);
  const genuine = signDelivery({ timestampS });
  const changed = (name: string, value: string) => ({
    ...genuine,
    headers: { ...genuine.headers, [name]: value },
  });
  const [status] = await post({ ...genuine, body: genuine.body.replace('"high"', '"low"') });
  expect(status).toBe(401);
  for (const refused of [
    signDelivery({ timestampS: timestampS - 600 }),
    signDelivery({ timestampS: timestampS + 600 }),
    signDelivery({ timestampS, secret: 'another secret' }),
    signDelivery({ timestampS, eventId: 'evt_other' }),
    changed('x-service-timestamp', String(timestampS + 1)),
    changed('x-service-signature', (genuine.headers['x-service-signature'] ?? '').toUpperCase()),
    changed('webhook-signature', 'v1,'),
    changed('x-service-timestamp', 'é'),
  ]) {
    expect((await post(refused))[0]).toBe(401);
  }
  expect((await post({ ...genuine, body: 'x'.repeat(1_048_577) }))[0]).toBe(413);
  expect(await post(genuine)).toEqual([200, 'handled']);
  expect(await post(signDelivery({ timestampS, attempt: 2 }))).toEqual([200, 'duplicate']);
  const ofAnother = JSON.stringify({ ...EVENT, tenant_id: 'tnt_another' });
  expect(await post(signDelivery({ timestampS, body: ofAnother }))).toEqual([200, 'handled']);
}

function postTo(url: string): Post {
  return async ({ body, headers }) => {
    const answer = await fetch(url, { method: 'POST', headers, body });
    return [answer.status, await answer.text()];
  };
}

test.skipIf(!isInstalled('python3', '--version'))('the Python receiver of the guide works', async () => {
  const directory = newDirectory();
  const program = join(directory, 'receiver.py');
  writeFileSync(program, findCode('python', 'do_POST'));
  for (const secret of [SECRET, `whsec_${Buffer.from(SECRET).toString('base64')}`]) {
    const env = { WEBHOOK_SECRET: secret, WEBHOOK_DATABASE: join(directory, `${secret}.db`), PORT: '0' };
    const { url, output } = await startReceiver(['python3', program], env);
    const post = postTo(url);
    if (secret === SECRET) await expectRightAnswers(post);
    const again = signDelivery({ secret, timestampS: Math.floor(Date.now() / 1000), attempt: 3 });
    expect(await post(again)).toEqual([200, secret === SECRET ? 'duplicate' : 'handled']);
    expect(output()).toContain(`${EVENT.event_id}: high phishing`);
  }
});

test.skipIf(!isInstalled('go', 'version'))(
  'the Go receiver of the guide works',
  async () => {
    const directory = newDirectory();
    const [source, program] = [join(directory, 'receiver.go'), join(directory, 'receiver')];
    writeFileSync(source, findCode('go', 'package main'));
    execFileSync('go', ['vet', source], { stdio: 'pipe' });
    execFileSync('go', ['build', '-o', program, source], { stdio: 'pipe' });
    const { url, output } = await startReceiver([program], { WEBHOOK_SECRET: SECRET, PORT: '0' });
    await expectRightAnswers(postTo(url));
    expect(output()).toContain(`${EVENT.event_id}: high phishing`);
  },
  240_000,
);

test.skipIf(!isInstalled('curl', '--version'))(
  'the delivery that the guide sends with curl is handled, then a duplicate',
  async () => {
    const example = 'examples/webhook-receivers/src/node-http.ts';
    const command = [
      process.execPath,
      '--conditions=source',
      '--disable-warning=ExperimentalWarning',
      example,
    ] as const;
    const { url } = await startReceiver([...command], { WEBHOOK_SECRET: SECRET, PORT: '0' });
    const script = findCode('sh', 'RECEIVER_URL');
    const send = (code = script) => runShell(code, { WEBHOOK_SECRET: SECRET, RECEIVER_URL: url });
    expect(send()).toBe('{"status":"handled"} 200\n');
    expect(send()).toBe('{"status":"duplicate"} 200\n');
    const tampered = script.replace('\ncurl ', '\nbody="$body "\ncurl ');
    expect(send(tampered)).toContain('signature_mismatch');
  },
);
