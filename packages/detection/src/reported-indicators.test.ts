import { expect, test } from 'vitest';
import { reportedIndicators } from './reported-indicators.ts';

test.each([
  ['help@Board-Mail.example', ['sender-domain:board-mail.example']],
  ['Help Desk <help@mail.bank.example>', ['sender-domain:mail.bank.example']],
  ['"help@bank.example" <a@other.example> ', ['sender-domain:other.example']],
  ['Anna@home 0171 2345678', []],
  ['@anna', []],
  ['a@localhost', []],
  ['+44 20 7946 0958', []],
  ['@'.repeat(100_000), []],
])('of a sender nothing but the domain of a mail address is reported: %#', (sender, expected) => {
  expect(reportedIndicators({ type: 'app', packageName: 'a.b', context: { sender } }).slice(1)).toEqual(
    expected,
  );
});
