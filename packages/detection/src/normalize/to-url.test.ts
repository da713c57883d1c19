import { expect, test } from 'vitest';
import { toUrl } from './to-url.ts';

test('an address is read the ten thousandth time as it was the first', () => {
  for (let time = 0; time < 10_000; time += 1) {
    expect(toUrl('https://münchen.example/')?.hostname).toBe('xn--mnchen-3ya.example');
  }
  expect(toUrl('https://')).toBeUndefined();
});
