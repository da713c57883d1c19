import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

const hash = (url: string): string => `url:sha256:${createHash('sha256').update(url, 'utf8').digest('hex')}`;

describe('URLs', () => {
  it('are replaced by the lower-case SHA-256 of the UTF-8 text as written', () => {
    expect(redactText('http://example.com/')).toBe(
      'url:sha256:2a1b402420ef46577471cdc7409b0fa2c6a204db316e59ade2d805435489a067',
    );
  });

  it.each([
    'https://example.com',
    'http://example.com/path?x=1&y=2#frag',
    'HTTPS://EXAMPLE.COM/A',
    'ftp://ftp.example.com/file.zip',
    'https://user:pass@example.com:8443/login',
    'https://jane@example.com@evil.example/login',
    'https://müller.de/ü?q=ß',
    'https://xn--mller-kva.de/',
    'https://例え.jp/道',
    'http://192.168.1.1/admin',
    'http://[2001:db8::1]:8080/x',
    'http://localhost:3000/x',
    'https://en.wikipedia.org/wiki/Rust_(programming_language)',
    'https://x.example/?mail=jane@example.com&tel=+4915112345678',
    'www.example.com',
    'WWW.Example.com/x',
    'example.com/path',
    'example.co.uk/?q=1',
    'example.com?q=1',
    'example.com#top',
    'example.com:8080',
    'россия.рф/путь',
    'bit.ly/3xYz',
    'hxxp://evil.example/x',
    'hxxps://evil[.]com/x',
    'hxxp[://]evil[.]com/x',
    'evil[.]com/x',
    'file:///home/jane/invoice.pdf',
    'android-app://com.example.bank/x',
    'market://details?id=com.example',
    '192.168.1.1/admin',
    '192.168.1.1:8080/admin?x=1',
  ])('%s is hashed as a whole, alone and in a sentence', (url) => {
    expect(redactText(url)).toBe(hash(url));
    expect(redactText(`Opened ${url}, then closed.`)).toBe(`Opened ${hash(url)}, then closed.`);
  });

  it.each([
    ['See https://example.com/a.', `See ${hash('https://example.com/a')}.`],
    ['(https://example.com/a)', `(${hash('https://example.com/a')})`],
    ['<https://example.com/a>', `<${hash('https://example.com/a')}>`],
    ['"https://example.com/a"!', `"${hash('https://example.com/a')}"!`],
    ['[here](https://example.com/a).', `[here](${hash('https://example.com/a')}).`],
    ['url=https://a.example/x', `url=${hash('https://a.example/x')}`],
    ['https://a.example,https://b.example', `${hash('https://a.example')},${hash('https://b.example')}`],
    ['https://a.example/?u=https://b.example', hash('https://a.example/?u=https://b.example')],
    ['点击https://a.example/x，谢谢', `点击${hash('https://a.example/x')}，谢谢`],
    ['jane@hosthttps://a.example', hash('jane@hosthttps://a.example')],
    ['https://a.example/?m=[email]&t=1', hash('https://a.example/?m=[email]&t=1')],
    ['Really, https://example.com/a?!', `Really, ${hash('https://example.com/a')}?!`],
  ])('%s loses only the URL', (written, expected) => {
    expect(redactText(written)).toBe(expected);
  });

  it.each([
    'example.com',
    'Did you visit example.com?',
    'com.android.chrome',
    'com.android.chrome/.Main',
    'and/or 24/7 w/o',
    'e.g./i.e.',
    'setup.exe/config',
    'http://',
    '://',
    'a://.',
    'evil[.]com',
    'www.',
    'app.apk:trojan',
  ])('%s is not a URL and stays', (written) => {
    expect(redactText(written)).toBe(written);
  });
});
