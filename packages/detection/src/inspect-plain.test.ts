import { describe, expect, test } from 'vitest';
import { inspectPlain } from './inspect-plain.ts';
import { loadShippedModels } from './node.ts';

const models = loadShippedModels();
const scoreOf = (text: string) => inspectPlain({ type: 'text', text }, models).score ?? 0;

describe('a message that leads nowhere but to the site of the company itself', () => {
  const notice = (link: string, more = '') =>
    `Netflix: your password has to be reset. Verify your account here: ${link} ${more}`;
  const home = 'https://www.netflix.com/password';

  test('is suspected less than one that leads elsewhere', () => {
    expect(scoreOf(notice(home))).toBeLessThan(models.thresholds.text.warn);
    expect(scoreOf(notice('https://netflix-password.top/verify'))).toBeGreaterThan(
      models.thresholds.text.warn,
    );
  });

  test.each([
    ['a second link leads elsewhere', notice(home, 'or https://netflix-help.top/login')],
    ['the name stands under another suffix', notice('https://netflix.top/password')],
    ['anybody can put a page there', notice('https://docs.google.com/forms/d/1x/viewform')],
    ['the address hides where it leads', notice('https://www.netflix.com@203.0.113.7/password')],
    ['it wants a number to be called', notice(home, 'or call us at 1-808-555-0100')],
  ])('but no less when %s', (_, text) => {
    expect(scoreOf(text)).toBeGreaterThan(scoreOf(notice(home)) + 0.2);
  });
});
