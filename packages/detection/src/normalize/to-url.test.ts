import { expect, test } from 'vitest';
import { toUrl } from './to-url.ts';

test('a URL is parsed the same way the ten thousandth time', () => {
  for (let time = 0; time < 10_000; time += 1) {
    expect(toUrl('https://münchen.example/')?.hostname).toBe('xn--mnchen-3ya.example');
  }
  expect(toUrl('https://')).toBeUndefined();
});
