import { describe, expect, test } from 'vitest';
import { TargetRejectedError } from './target-rejected-error.ts';
import { parseTargetUrl } from './target-url.ts';

const STRICT = { allowInsecure: false };
const TRIAL = { allowInsecure: true };

function refusal(text: string, rules = STRICT): string {
  try {
    return `accepted as ${parseTargetUrl(text, rules).href}`;
  } catch (error) {
    expect(error).toBeInstanceOf(TargetRejectedError);
    return (error as Error).message;
  }
}

const THIS_MACHINE = 'the host is this machine';
const NOT_PUBLIC = 'the address is not public';
const NOT_HTTPS = 'it must begin with https://';
const HIDDEN = 'it contains white space, a control character or a backslash';
const PASSWORD = 'it must not contain a user name or password';
const INVALID = 'it is not a valid URL';
const DOT = 'the host must not end with a dot';

/** Hostile URLs and the reason each must be rejected with. */
const HOSTILE: readonly (readonly [url: string, message: string])[] = [
  // Loopback in every spelling of IPv4.
  ['https://127.0.0.1/', THIS_MACHINE],
  ['https://127.1/', THIS_MACHINE],
  ['https://127.0.1/', THIS_MACHINE],
  ['https://127.255.255.254/', THIS_MACHINE],
  ['https://2130706433/', THIS_MACHINE],
  ['https://0x7f000001/', THIS_MACHINE],
  ['https://0x7f.1/', THIS_MACHINE],
  ['https://0x7f.0x0.0x0.0x1/', THIS_MACHINE],
  ['https://017700000001/', THIS_MACHINE],
  ['https://0177.0.0.1/', THIS_MACHINE],
  ['https://0177.0x0.0.1/', THIS_MACHINE],
  ['https://127.0.0.1./', THIS_MACHINE],
  ['https://%31%32%37.0.0.1/', THIS_MACHINE],
  ['https://１２７.０.０.１/', THIS_MACHINE],
  ['https://①②⑦.⓪.⓪.①/', THIS_MACHINE],
  ['https://127。0。0。1/', THIS_MACHINE],
  ['https://127．0｡0.1/', THIS_MACHINE],
  ['https://0/', NOT_PUBLIC],
  ['https://0.0.0.0/', NOT_PUBLIC],
  ['https://0x0/', NOT_PUBLIC],
  // Private, shared, link-local, and cloud metadata.
  ['https://10.0.0.1/', NOT_PUBLIC],
  ['https://012.0.0.1/', NOT_PUBLIC],
  ['https://172.16.0.1/', NOT_PUBLIC],
  ['https://172.31.255.255/', NOT_PUBLIC],
  ['https://192.168.1.1/', NOT_PUBLIC],
  ['https://3232235777/', NOT_PUBLIC],
  ['https://100.64.0.1/', NOT_PUBLIC],
  ['https://100.100.100.200/latest/meta-data/', NOT_PUBLIC],
  ['https://169.254.169.254/latest/meta-data/', NOT_PUBLIC],
  ['https://2852039166/latest/meta-data/', NOT_PUBLIC],
  ['https://0xa9fea9fe/', NOT_PUBLIC],
  ['https://0251.0376.0251.0376/', NOT_PUBLIC],
  ['https://169.254.43518/', NOT_PUBLIC],
  ['https://168.63.129.16/', NOT_PUBLIC],
  ['https://192.0.0.192/', NOT_PUBLIC],
  ['https://198.18.0.1/', NOT_PUBLIC],
  ['https://203.0.113.7/', NOT_PUBLIC],
  ['https://224.0.0.1/', NOT_PUBLIC],
  ['https://255.255.255.255/', NOT_PUBLIC],
  // IPv6, plain and with an IPv4 address inside.
  ['https://[::1]/', THIS_MACHINE],
  ['https://[0:0:0:0:0:0:0:1]/', THIS_MACHINE],
  ['https://[::]/', NOT_PUBLIC],
  ['https://[::ffff:127.0.0.1]/', NOT_PUBLIC],
  ['https://[::ffff:7f00:1]/', NOT_PUBLIC],
  ['https://[::ffff:169.254.169.254]/', NOT_PUBLIC],
  ['https://[::ffff:8.8.8.8]/', NOT_PUBLIC],
  ['https://[::127.0.0.1]/', NOT_PUBLIC],
  ['https://[64:ff9b::127.0.0.1]/', NOT_PUBLIC],
  ['https://[64:ff9b::8.8.8.8]/', NOT_PUBLIC],
  ['https://[64:ff9b:1::10.0.0.1]/', NOT_PUBLIC],
  ['https://[2002:7f00:1::]/', NOT_PUBLIC],
  ['https://[2001:0:7f00:1::]/', NOT_PUBLIC],
  ['https://[fe80::1]/', NOT_PUBLIC],
  ['https://[fe80::1%25eth0]/', INVALID],
  ['https://[fd00:ec2::254]/', NOT_PUBLIC],
  ['https://[2001:db8::1]/', NOT_PUBLIC],
  ['https://[ff02::1]/', NOT_PUBLIC],
  // Names of this machine.
  ['https://localhost/', THIS_MACHINE],
  ['https://LOCALHOST/', THIS_MACHINE],
  ['https://ｌｏｃａｌｈｏｓｔ/', THIS_MACHINE],
  ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', THIS_MACHINE],
  ['https://%6cocalhost/', THIS_MACHINE],
  ['https://api.localhost/', THIS_MACHINE],
  ['https://localhost./', DOT],
  ['https://localhost../', DOT],
  ['https://api.localhost./', DOT],
  ['https://hooks.example.com./', DOT],
  ['https://hooks.example.com。/', DOT],
  // Other schemes, and https that is not written in full.
  ['http://hooks.example.com/', NOT_HTTPS],
  ['http://8.8.8.8/', NOT_HTTPS],
  ['http://10.0.0.1/', NOT_PUBLIC],
  ['HTTP://hooks.example.com/', NOT_HTTPS],
  ['ftp://hooks.example.com/', NOT_HTTPS],
  ['file:///etc/passwd', NOT_HTTPS],
  ['gopher://127.0.0.1:6379/_FLUSHALL', NOT_HTTPS],
  ['wss://hooks.example.com/', NOT_HTTPS],
  ['unix:/var/run/docker.sock', NOT_HTTPS],
  ['javascript:alert(1)', NOT_HTTPS],
  ['data:text/plain,x', NOT_HTTPS],
  ['//hooks.example.com/', NOT_HTTPS],
  ['hooks.example.com', NOT_HTTPS],
  ['https:hooks.example.com', NOT_HTTPS],
  ['https:/hooks.example.com', NOT_HTTPS],
  ['https:///hooks.example.com', NOT_HTTPS],
  ['https://', NOT_HTTPS],
  ['', NOT_HTTPS],
  // Texts with two readings.
  ['https://user:secret@hooks.example.com/', PASSWORD],
  ['https://user@hooks.example.com/', PASSWORD],
  ['https://@hooks.example.com/', PASSWORD],
  ['https://:@hooks.example.com/', PASSWORD],
  ['https://hooks.example.com@127.0.0.1/', PASSWORD],
  ['https://127.0.0.1@hooks.example.com/', PASSWORD],
  ['https://hooks.example.com#@127.0.0.1/', PASSWORD],
  ['https://hooks.example.com/#x', 'it must not have a fragment'],
  ['https://hooks.example.com/#', 'it must not have a fragment'],
  ['https://hooks.example.com\\@127.0.0.1/', HIDDEN],
  ['https:\\\\hooks.example.com\\', HIDDEN],
  [' https://hooks.example.com/', HIDDEN],
  ['https://hooks.example.com/ ', HIDDEN],
  ['https://hooks.example.com/\r\nx-injected: 1', HIDDEN],
  ['https://hooks.example.com/\tpath', HIDDEN],
  ['ht\ntps://127.0.0.1/', HIDDEN],
  ['https://127.0.\u00000.1/', HIDDEN],
  ['https://local\u00adhost/', HIDDEN],
  ['https://local\u200bhost/', HIDDEN],
  ['https://\u202ehooks.example.com/', HIDDEN],
  ['https://hooks.example.com/\ud800', HIDDEN],
  // Invalid hosts and ports.
  ['https://hooks.example.com:0/', 'port 0 cannot be called'],
  ['https://hooks.example.com:65536/', INVALID],
  ['https://hooks.example.com:-1/', INVALID],
  ['https://hooks.example.com:443:80/', INVALID],
  ['https://:443/', INVALID],
  ['https://256.256.256.256/', INVALID],
  ['https://1.2.3.4.5/', INVALID],
  ['https://0x100000000/', INVALID],
  ['https://hooks example.com/', HIDDEN],
  ['https://hooks<example.com/', INVALID],
  ['https://[::1/', INVALID],
];

test('the table of hostile targets has not shrunk', () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(100);
});

test.each(HOSTILE)('%j is rejected', (url, message) => {
  expect(refusal(url)).toBe(message);
});

test.each(HOSTILE.filter(([, message]) => message !== THIS_MACHINE))(
  '%j is rejected even where this machine may be called',
  (url, message) => expect(refusal(url, TRIAL)).toBe(message),
);

describe('length', () => {
  const ofLength = (length: number) => 'https://hooks.example.com/'.padEnd(length, 'x');

  test('2048 characters are accepted and one more is rejected', () => {
    expect(refusal(ofLength(2048))).toContain('accepted');
    expect(refusal(ofLength(2049))).toBe('it is longer than 2048 characters');
  });

  test('a too long URL is rejected even if normalising shortens it', () => {
    expect(refusal(`https://hooks.example.com/${'a/../'.repeat(500)}`)).toBe(
      'it is longer than 2048 characters',
    );
  });

  test('a URL that normalising extends beyond 2048 characters is rejected', () => {
    expect(refusal(`https://hooks.example.com/${'ä'.repeat(1000)}`)).toBe(
      'it is longer than 2048 characters',
    );
  });
});

test.each([
  ['https://hooks.example.com', 'https://hooks.example.com/'],
  ['HTTPS://Hooks.Example.COM/Path?q=1', 'https://hooks.example.com/Path?q=1'],
  ['https://hooks.example.com:8443/a@b', 'https://hooks.example.com:8443/a@b'],
  ['https://bücher.example/ö', 'https://xn--bcher-kva.example/%C3%B6'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
  ['https://localhost.example.com/', 'https://localhost.example.com/'],
  ['https://notlocalhost/', 'https://notlocalhost/'],
])('%j is accepted as %j', (text, href) => {
  expect(parseTargetUrl(text, STRICT).href).toBe(href);
});

describe('where this machine may be called', () => {
  test.each([
    'http://127.0.0.1:8080/',
    'http://localhost:8080/',
    'http://api.localhost/',
    'http://[::1]:8080/',
    'https://127.0.0.1/',
    'https://localhost/',
  ])('%j is accepted, and rejected elsewhere', (url) => {
    expect(parseTargetUrl(url, TRIAL).href).toBe(url);
    expect(refusal(url)).toBe(THIS_MACHINE);
  });
});
