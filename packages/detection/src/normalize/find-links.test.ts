import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLinks } from './find-links.ts';

const urls = (text: string): string[] => findLinks(text).map(({ url }) => url);

describe('findLinks', () => {
  it.each([
    ['see https://example.com/a?b=c.', 'https://example.com/a?b=c'],
    ['go to www.example.org now', 'www.example.org'],
    ['at example.com', 'example.com'],
    ['track: bit.ly/3xYz', 'bit.ly/3xYz'],
    ['hxxps://evil[.]example.net/x', 'https://evil.example.net/x'],
    ['h**p://example(.)com', 'http://example.com'],
    ['visit example {dot} com today', 'example.com'],
    ['visit example dot com today', 'example.com'],
    ['visit example . com', 'example.com'],
    ['go to example dot com slash login slash a1.', 'example.com/login/a1'],
    ['it is secure dot example dot co.uk slash pay', 'secure.example.co.uk/pay'],
    ['https colon slash slash example dot com forward slash a', 'https://example.com/a'],
    ['http[:]//example[.]com', 'http://example.com'],
    ['exam\u200bple.com/x', 'example.com/x'],
    ['ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com'],
    ['http://192.0.2.7/login', 'http://192.0.2.7/login'],
    ['192.0.2.7/login', '192.0.2.7/login'],
    ['clickhttps://example.com', 'https://example.com'],
    ['usps-redelivery.top', 'usps-redelivery.top'],
    ['HTTPS://EXAMPLE.COM/A', 'HTTPS://EXAMPLE.COM/A'],
  ])('finds the link in %j', (text, url) => {
    expect(urls(text)).toEqual([url]);
  });

  it.each([
    'mail jane@example.com',
    'ok.so i go',
    'see you tomorrow.my friend',
    'run setup.py',
    'now.Click here',
    'at 10.30.Call me',
    'version 1.2.3.4',
    'e.g. this',
    'Thanks. Com was fine',
    'and/or',
    'The dot in the text',
    'either a slash b, or a forward slash c',
    'a dot and a dash',
  ])('finds none in %j', (text) => {
    expect(urls(text)).toEqual([]);
  });

  it('returns the position in the text as written, and that the link was disguised', () => {
    const text = 'open hxxp://exa\u200bmple[.]com/a today';
    const [link] = findLinks(text);
    expect(text.slice(link?.start, link?.end)).toBe('hxxp://exa\u200bmple[.]com/a');
    expect(link?.defanged).toBe(true);
    expect(findLinks('open http://example.com/a')[0]?.defanged).toBe(false);
  });

  it('reads only the first 100,000 characters', () => {
    expect(urls(`${' '.repeat(100_000)}example.com`)).toEqual([]);
  });

  it('stops at 200 links', () => {
    expect(findLinks('a.com '.repeat(1000))).toHaveLength(200);
  });

  it('returns ordered ranges without overlap for any text', () => {
    const fragment = fc.oneof(
      fc.constantFrom(
        'http',
        '://',
        'hxxp',
        '[.]',
        ' dot ',
        'a.com',
        'www.',
        '/',
        '.',
        '@',
        ' ',
        '[:]',
        '\u200b',
        '1.2.3.4',
        '\\.',
        '{',
        '}',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        const text = fragments.join('');
        let position = 0;
        for (const { start, end, url } of findLinks(text)) {
          expect(start).toBeGreaterThanOrEqual(position);
          expect(end).toBeGreaterThan(start);
          expect(url.length).toBeGreaterThan(2);
          position = end;
        }
        expect(position).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 10_000 },
    );
  });
});
