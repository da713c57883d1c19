import { expect, test } from 'vitest';
import { decodeLabel, parseLinkAddress } from './link-address.ts';

test('a link is parsed without the parts that differ between data sets', () => {
  const same = [
    'http://www.Shop.example.co.uk:80/a/b/?c=1',
    'https://shop.example.co.uk/a/b?c=1',
    'shop.example.co.uk/a/b?c=1',
  ];
  for (const link of same) {
    expect(parseLinkAddress(link), link).toMatchObject({
      host: 'shop.example.co.uk',
      site: 'example.co.uk',
      name: 'example',
      subdomains: 'shop',
      suffix: 'co.uk',
      hosting: undefined,
      path: 'a/b',
    });
  }
});

test.each([
  ['login.myshop.vercel.app', 'myshop.vercel.app', 'myshop', 'login', 'app'],
  ['acme.weebly.com', 'acme.weebly.com', 'acme', '', 'builder'],
  ['x.blogspot.de', 'x.blogspot.de', 'x', '', 'blog'],
  ['www.vercel.app', 'www.vercel.app', 'www', '', 'app'],
])('%s belongs to the customer of the hosting service', (host, site, name, subdomains, hosting) => {
  expect(parseLinkAddress(host)).toMatchObject({ site, name, subdomains, hosting });
});

test('an IP address, a port and a user name are recognized', () => {
  expect(parseLinkAddress('http://203.0.113.9:8080/x')).toMatchObject({
    ip: true,
    site: '203.0.113.9',
    port: true,
  });
  expect(parseLinkAddress('http://[2606:4700::1111]/')).toMatchObject({ ip: true });
  expect(parseLinkAddress('https://bank.example@evil.com/')).toMatchObject({
    host: 'evil.com',
    userinfo: true,
  });
});

test('look-alike letters of another script are read as Latin ones', () => {
  expect(parseLinkAddress('https://раураl.com/')).toMatchObject({ host: 'paypal.com', disguised: true });
  expect(parseLinkAddress('https://xn--l-7sba6dbr.com/')).toMatchObject({ disguised: true });
  expect(parseLinkAddress('https://президент.рф/')).toMatchObject({ disguised: false });
});

test.each([
  '',
  ' ',
  'hello',
  'localhost',
  'http://printer.local/',
  'mailto:a@b.com',
  'javascript:alert(1)',
  'ftp://a.com',
  'http://',
  'http://exa mple.com',
  'https://[',
  'http://com/',
  'http://intranet/login',
  '127.0.0.1:8080',
  'http://0x7f.1/',
  'http://0.0.0.0/',
  'http://10.1.2.3/login',
  'http://172.16.0.9/',
  'https://192.168.1.1/login.html',
  'http://169.254.10.1/',
  'http://100.64.0.1/',
  'http://[::1]/',
  'http://[fe80::1]:8080/',
  'http://[fd00::1]/',
  'http://[::ffff:10.0.0.1]/',
])('%j is not the link of a page on the internet', (link) => {
  expect(parseLinkAddress(link)).toBeUndefined();
});

// RFC 3492, section 7.1 (L, M, and the Arabic of A), and the examples of the IDNA registry.
test.each([
  ['xn--mnchen-3ya', 'münchen'],
  ['xn--3B-ww4c5e180e575a65lsy2b'.toLowerCase(), '3年b組金八先生'],
  ['xn--egbpdaj6bu4bxfgehfvwxn', 'ليهمابتكلموشعربي؟'],
  ['plain', 'plain'],
  ['xn--', ''],
  ['xn--!!!', 'xn--!!!'],
  ['xn--99999999', 'xn--99999999'],
])('Punycode %s is decoded to %s', (label, read) => {
  expect(decodeLabel(label)).toBe(read);
});

test.each([
  ['https://example.com/a^b/', 'a^b'],
  ['https://example.com/a%5Eb/', 'a%5Eb'],
])('the path of %s keeps a caret as written, on any runtime', (link, path) => {
  expect(parseLinkAddress(link)?.path).toBe(path);
});

test('padding of any length hides neither the host nor the end of a long link', () => {
  const padding = 'a'.repeat(30_000);
  const address = parseLinkAddress(`https://${padding}@example.com/start${padding}end?x=${padding}y`);
  expect(address).toMatchObject({ host: 'example.com', userinfo: true });
  expect(address?.path).toMatch(/^starta+end$/);
  expect(address?.path).toHaveLength(2047);
  expect(parseLinkAddress(`https://${'a.'.repeat(200)}com`)).toBeUndefined();
});

test.each([
  ['http://203.0.113.5.nip.io/bank', '203.0.113.5'],
  ['http://login.203-0-113-5.sslip.io/', '203.0.113.5'],
  ['http://cb007105.nip.io/', '203.0.113.5'],
  ['http://bank-203.0.113.5.nip.io/', '203.0.113.5'],
  ['http://static.5.113.0.203.clients.your-server.de/', '203.0.113.5'],
  ['http://ec2-203-0-113-5.compute-1.amazonaws.com/', '203.0.113.5'],
  ['http://203-0-113-5.dyn.example.net/', '203.0.113.5'],
])('the address in a name is where %s leads', (link, ip) => {
  expect(parseLinkAddress(link)).toMatchObject({ ip: true, host: ip, site: ip });
});

test.each([
  'http://192.168.1.5.nip.io/',
  'http://app.127.0.0.1.sslip.io/',
  'http://1-2-3-4.example.com/',
  'http://release.1.2.3.4.example.org/',
  'http://999.1.1.1.nip.io/',
  'http://nip.io/',
  'http://static.example.com/',
])('%s is a name', (link) => {
  expect(parseLinkAddress(link)?.ip).toBe(false);
});
