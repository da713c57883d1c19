import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { approveDevice, authorize, FormBrowser } from '@tps/testing/browser';
import { newFolder } from '@tps/testing/fixture';
import { spawnService } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const PAGE = readFileSync(fileURLToPath(new URL('../../../docs/oauth.md', import.meta.url)), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

/** A shell that stays open, as the reader's does. */
function openShell() {
  const shell = spawn('bash', ['--noprofile', '--norc'], { env: { PATH: process.env.PATH } });
  onTestFinished(() => void shell.kill('SIGKILL'));
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  /** Runs a block and returns what it prints. */
  return async (block: string): Promise<string> => {
    output = '';
    shell.stdin.write(`{ ${block}\n} 2>&1; echo END-OF-BLOCK\n`);
    await waitUntil(() => output.includes('END-OF-BLOCK') || shell.exitCode !== null);
    return output.replace(/END-OF-BLOCK\n$/, '').trim();
  };
}

/** Returns the only block of the page that has this text. */
function blockWith(text: string): string {
  const found = BLOCKS.filter((block) => block.includes(text));
  expect(found, text).toHaveLength(1);
  return found[0] ?? '';
}

test('every line of docs/oauth.md works, from the printed link to the last grant', async () => {
  const cwd = newFolder();
  const service = await spawnService({ cwd });
  const browser = new FormBrowser(service.baseUrl);
  const link = await becomeAdministrator(browser, readFirstText(cwd));
  const { admin, tenantId } = service.credentials();
  const run = openShell();
  /** The blocks that have run. */
  const done = new Set<string>();
  const runBlock = (text: string, replace: Readonly<Record<string, string>> = {}) => {
    const block = blockWith(text);
    done.add(block);
    return run(Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), block));
  };
  const answer = async (text: string) => JSON.parse(await runBlock(text)) as Record<string, unknown>;

  await runBlock('member() {', { 'http://127.0.0.1:8080': service.baseUrl, PASTE_THE_CREDENTIAL: admin });
  expect(await runBlock('oauth-authorization-server')).toBe(`${service.baseUrl}/auth`);

  await runBlock('CLIENT=$(');
  expect(await answer('-d client_id="$CLIENT_ID"')).toMatchObject({
    access_token: expect.stringMatching(/^svc_at_/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'status:read',
  });
  expect(await answer('"user = $CLIENT_ID:$CLIENT_SECRET"')).toMatchObject({ tenant_id: tenantId });

  await runBlock('APP=$(');
  const address = await runBlock('VERIFIER=');
  const returned = await authorize(browser, address);
  const { searchParams } = returned;
  expect(`${returned.origin}${returned.pathname}`).toBe('http://127.0.0.1:8123/callback');
  expect(searchParams.get('state')).toBe(new URL(address).searchParams.get('state'));
  expect(searchParams.get('iss')).toBe(`${service.baseUrl}/auth`);
  await runBlock('PASTE_THE_CODE', { PASTE_THE_CODE: searchParams.get('code') ?? '' });
  expect(await answer('grant_type=authorization_code')).toMatchObject({ tenant_id: tenantId });

  await runBlock('grant_type=refresh_token');
  expect(await answer('/introspect')).toMatchObject({ active: true, scope: 'status:read events:read' });
  expect(await runBlock('/revoke')).toBe('401');

  const verification = new URL(await runBlock('/device/code'));
  await approveDevice(browser, verification.searchParams.get('user_code') ?? '');
  expect(await answer('device_code=$DEVICE_CODE')).toMatchObject({
    scope: 'status:read',
    token_type: 'Bearer',
  });
  expect([...done].sort(), 'every block has run').toEqual([...BLOCKS].sort());
  expect(service.output(), 'the log has no secret').not.toMatch(/svc_(?:at|rt|cs)_\w|token=/);
  expect((await browser.open(link)).status, 'the link works once').not.toBe(200);
});

/** Returns the text of the first start, as a person on a terminal sees it. */
function readFirstText(directory: string): string {
  const data = join(directory, 'data');
  const file = readdirSync(data).find((name) => name.startsWith('first-credentials'));
  return readFileSync(join(data, file ?? ''), 'utf8');
}

/** Opens the link and creates the account. Returns the link. */
async function becomeAdministrator(browser: FormBrowser, text: string): Promise<string> {
  const link = /http\S+\/auth\/invitation\?token=[\w-]+/.exec(text)?.[0];
  if (link === undefined) throw new Error('the first start printed no link');
  const person = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery staple' };
  await browser.submit(await browser.open(link), person);
  return link;
}
