import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { useFixture } from '../fixture/use-fixture.ts';
import { FormBrowser } from './form-browser.ts';

const FORM = `<!doctype html><html><head><title>Sign in &amp; go</title></head><body>
<h1>Your &lt;name&gt;?</h1><a href="/help?a=1&amp;b=2">Help</a>
<form method="post" action="/form">
  <input type="hidden" name="token" value="a&quot;b&#x27;c">
  <input name="email"><input type="radio" name="tenant" value="one"><input type="radio" name="tenant" value="two" checked>
  <input type="checkbox" name="unchecked"><select name="role"><option value="v">Viewer</option><option selected>Admin</option></select>
  <button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button>
</form></body></html>`;

/** Answers each path with one thing that a browser has to understand. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const redirect = (location: string, cookie?: string[]) =>
    response.writeHead(303, { location, ...(cookie && { 'set-cookie': cookie }) }).end();
  const echo = { cookie: request.headers.cookie, origin: request.headers.origin };
  const body = Buffer.concat(chunks).toString();
  const path = request.url?.split('?')[0];
  if (path === '/form' && request.method === 'GET') response.end(FORM);
  else if (path === '/cookies') redirect('/echo', ['whole=1; Path=/; HttpOnly', 'part=2; Path=/a']);
  else if (path === '/forget') redirect('/echo', ['whole=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
  else if (path === '/leave') redirect('http://127.0.0.1:1/callback?code=c');
  else if (path === '/refresh') response.setHeader('refresh', '0; url=/echo').end('<a href="/echo">');
  else if (path === '/loop') redirect('/loop');
  else response.end(JSON.stringify({ ...echo, site: request.headers['sec-fetch-site'], path, body }));
}

interface TestServer {
  readonly url: string;
  close(): void;
}

const server = useFixture<TestServer>(
  () => {
    const http = createServer((request, response) => void answer(request, response));
    return new Promise((resolve) => {
      http.listen(0, '127.0.0.1', () => {
        const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
        resolve({ url, close: () => http.close() });
      });
    });
  },
  { close: (http) => http.close() },
);

test('a page shows its title, text, links and forms as a person sees them', async () => {
  const page = await new FormBrowser(server.url).open('/form');
  expect(page).toMatchObject({ status: 200, title: 'Sign in & go' });
  expect(page.text).toContain('Your <name>?');
  expect(page.links).toEqual([{ url: new URL('/help?a=1&b=2', server.url), text: 'Help' }]);
  expect(page.forms[0]?.buttons.map(({ text }) => text)).toEqual(['Allow', 'Deny']);
});

test('a form sends what is filled in, what it holds and the button that was pressed', async () => {
  const browser = new FormBrowser(server.url);
  const page = await browser.submit(await browser.open('/form'), { email: 'a@b' }, { button: 'Deny' });
  const { body, origin, site } = JSON.parse(page.html) as Record<string, string>;
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    token: `a"b'c`,
    email: 'a@b',
    tenant: 'two',
    role: 'Admin',
    decision: 'deny',
  });
  expect({ origin, site }).toEqual({ origin: server.url, site: 'same-origin' });
  const missing = async () => browser.submit(await browser.open('/form'), { unknown: '' });
  await expect(missing()).rejects.toThrow('no form');
});

test('cookies are kept by path, sent after a redirect, and forgotten', async () => {
  const browser = new FormBrowser(server.url);
  const echo = async (path: string) => JSON.parse((await browser.open(path)).html) as Record<string, string>;
  expect(await echo('/cookies')).toMatchObject({ path: '/echo', cookie: 'whole=1', site: 'none' });
  expect(await echo('/a/b')).toMatchObject({ cookie: 'part=2; whole=1' });
  expect(await echo('/ab')).toMatchObject({ cookie: 'whole=1' });
  expect((await echo('/forget')).cookie).toBeUndefined();
  expect(browser.cookies.names()).toEqual(['part']);
});

test('a browser follows the service and stops where it leads elsewhere', async () => {
  const browser = new FormBrowser(server.url);
  expect((await browser.open('/refresh')).url.pathname).toBe('/echo');
  expect((await browser.open('/leave')).leftTo?.href).toBe('http://127.0.0.1:1/callback?code=c');
  await expect(browser.open('/loop')).rejects.toThrow('redirects');
});
