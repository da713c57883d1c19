import { describe, expect, it } from 'vitest';
import { processorMs } from '../../files/testing/analyze-sample.ts';
import { tokenize } from './tokenize.ts';

describe('tokenize', () => {
  it.each([
    ['pay $2.99 to track <link>', ['pay', '<money>', 'to', 'track', '<link>']],
    ['call 0800 123 4567 or +44 7700 900123', ['call', '<phone>', 'or', '<phone>']],
    ['code 483920, not 12', ['code', '<6>', 'not', '<2>']],
    ['write to jane@example.com', ['write', 'to', '<email>']],
    ["don't!!! 50% at 10:30", ["don't", '!!', '<percent>', 'at', '<time>']],
    ['sooooo', ['soo']],
    ['10am', ['<2>', 'am']],
    ['您的iphone手机 <link>', ['您的', 'iphone', '手机', '<link>']],
    ['พัสดุ', ['พั', 'ัส', 'สด', 'ดุ']],
    ['ваша посылка', ['ваша', 'посылка']],
  ])('splits %j', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens);
  });

  it.each([
    '1 '.repeat(50_000),
    '1('.repeat(50_000),
    'a@'.repeat(50_000),
    'a.'.repeat(50_000),
    '$'.repeat(100_000),
    '好'.repeat(100_000),
    '好a'.repeat(50_000),
  ])('splits 100 KB of hostile characters quickly', async (text) => {
    const busyMs = await processorMs(() => expect(tokenize(text).length).toBeLessThanOrEqual(20_000));
    expect(busyMs).toBeLessThan(5000);
  });
});
