import { expect, test } from 'vitest';
import { redactText } from './redaction/redact-text.ts';
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
])("only the domain of a sender's mail address is reported: %#", (sender, expected) => {
  expect(reportedIndicators({ type: 'app', packageName: 'a.b', context: { sender } }).slice(1)).toEqual(
    expected,
  );
});

test('only the links of a text are reported, as redaction writes them', () => {
  const text =
    'Jane, pay at hxxp://a[.]example[.]com/x, or www.b.com; 0171 2345678, jane@c.com, 1.2.3.4, http://d.com/';
  const reported = reportedIndicators({ type: 'text', text });
  expect(reported).toHaveLength(3);
  expect(reported).toEqual(redactText(text).match(/url:sha256:[0-9a-f]{64}/g));
});
