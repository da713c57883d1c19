import { execFileSync } from 'node:child_process';
import { sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDeviceKey } from '@tps/agent';
import { type RequestSigner, type SignatureAlgorithm, signRequest } from '@tps/signatures';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { newFolder, useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const PAGE = readFileSync(new URL('../../../docs/signing-requests.md', import.meta.url), 'utf8');

type Headers = Record<string, string>;

/** A request and how it is signed. A mistake changes part of it. */
interface Attempt {
  readonly by?: TestDevice;
  readonly signer?: Partial<RequestSigner>;
  readonly signedPath?: string;
  readonly change?: (headers: Headers) => Headers;
  readonly resend?: boolean;
  readonly body?: (text: string) => string;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
const inInput = (from: string | RegExp, to: string) => (headers: Headers) => ({
  ...headers,
  'signature-input': (headers['signature-input'] ?? '').replace(from, to),
});

const service = useTestService();
const device = useFixture(() => registerTestDevice(service));
const p256 = useFixture(() => registerTestDevice(service, { algorithm: 'ecdsa-p256-sha256' }));

/** Signs the base by hand, as the page describes, but with the mistake. */
function signedByHand(toValue: (base: string) => Buffer) {
  return (headers: Headers): Headers => {
    const params = (headers['signature-input'] ?? '').replace(/^tps=/, '');
    const lines = [
      '"@method": POST',
      '"@path": /events',
      `"content-digest": ${headers['content-digest']}`,
      `"@signature-params": ${params}`,
    ];
    const value = toValue(lines.join('\n')).toString('base64');
    return { ...headers, signature: `tps=:${value}:` };
  };
}

const inDer = (base: string) =>
  sign('sha256', Buffer.from(base), { key: p256.key.privateKey, dsaEncoding: 'der' });
const withLineFeed = (base: string) => sign(null, Buffer.from(`${base}\n`), device.key.privateKey);

/** The mistakes by the first column of the table. */
const MISTAKES: Record<string, () => Attempt | Promise<Attempt>> = {
  'no signature at all': () => ({ change: () => ({}) }),
  'the digest is not covered': () => ({ change: inInput(' "content-digest"', '') }),
  '`created` in quotes': () => ({ change: inInput(/created=(\d+)/, 'created="$1"') }),
  'a nonce of 8 bytes': () => ({ signer: { nonce: Buffer.alloc(8, 1).toString('base64url') } }),
  'an algorithm of another name': () => ({ change: inInput('alg="ed25519"', 'alg="EdDSA"') }),
  'the tag of another operation': () => ({ signer: { tag: 'tps-register' } }),
  'a device that was never registered': () => ({ signer: { keyId: 'dev_nobody' } }),
  'a clock that is ten minutes slow': () => ({ signer: { created: nowSeconds() - 600 } }),
  'a clock that is ten minutes fast': () => ({ signer: { created: nowSeconds() + 600 } }),
  'a body formatted again after it was digested': () => ({
    body: (text) => JSON.stringify(JSON.parse(text), null, 2),
  }),
  'a path without the prefix, or with the query': () => ({ signedPath: '/tps/events' }),
  'a line feed after the last line of the base': () => ({ change: signedByHand(withLineFeed) }),
  'an ECDSA signature in DER': () => ({
    signer: { ...p256.key, keyId: p256.deviceId },
    change: signedByHand(inDer),
  }),
  'an algorithm that does not match the key': async () => ({
    signer: await generateDeviceKey('rsa-pss-sha512'),
  }),
  'the same request sent twice': () => ({ resend: true }),
};

async function attempt({ by = device, signer, signedPath = '/events', change, resend, body }: Attempt) {
  const text = JSON.stringify(by.event());
  const { privateKey, algorithm } = by.key;
  const headers: Headers = await signRequest(
    { method: 'POST', path: signedPath, body: Buffer.from(text) },
    { privateKey, algorithm, keyId: by.deviceId, tag: 'tps-event', ...signer },
  );
  const request = {
    credential: service.tenant.credential,
    headers: change?.(headers) ?? headers,
    body: body?.(text) ?? text,
  };
  const answer = await service.client.send('POST', '/events', request);
  return resend ? service.client.send('POST', '/events', request) : answer;
}

const section = /^## Mistakes,[\s\S]*?^## /m.exec(PAGE)?.[0] ?? '';
/** The rows of the table of mistakes on the page. */
const rows = [...section.matchAll(/^\| ([^|]+?) +\| `(\w+)` +\| ([^|]+?) +\|$/gm)].map(
  ([, mistake = '', code = '', message = '']) => ({ mistake, code, message }),
);

test('the page on signing lists exactly the mistakes that are tested here', () => {
  expect(rows.map(({ mistake }) => mistake)).toEqual(Object.keys(MISTAKES));
});

test.each(rows)('$mistake: the service answers as on the page', async ({ mistake, code, message }) => {
  const make = MISTAKES[mistake];
  if (!make) throw new Error('the page lists a mistake that is not tested here');
  const answer = await attempt(await make());
  expect(answer.body).toMatchObject({ error: { code, message } });
});

/** The commands in the table of algorithms. ECDSA needs another step, which the page describes. */
const commands = [...PAGE.matchAll(/^\| `([\w-]+)` +\| .* \| `(openssl [^`]+)` +\|$/gm)].map(
  ([, algorithm = '', command = '']) => ({ algorithm: algorithm as SignatureAlgorithm, command }),
);

test('the page shows the openssl command of each algorithm whose output is sent as it is', () => {
  expect(commands.map(({ algorithm }) => algorithm)).toEqual([
    'rsa-v1_5-sha256',
    'rsa-pss-sha512',
    'ed25519',
  ]);
});

test.each(commands)(
  '$algorithm: what the command of the page signs is taken',
  async ({ algorithm, command }) => {
    const directory = newFolder();
    const by = await registerTestDevice(service, { algorithm });
    writeFileSync(join(directory, 'device.key'), by.key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const withOpenssl = (base: string) => {
      writeFileSync(join(directory, 'base'), base);
      return execFileSync('bash', ['-c', command], { cwd: directory });
    };
    expect((await attempt({ by, change: signedByHand(withOpenssl) })).status).toBe(201);
  },
);

test('the same request without a mistake is accepted', async () => {
  expect((await attempt({})).status).toBe(201);
  const right = (base: string) => sign(null, Buffer.from(base), device.key.privateKey);
  expect((await attempt({ change: signedByHand(right) })).status).toBe(201);
});
