import { expect, test } from 'vitest';
import { matcherOf } from './subject.ts';

test.each([
  ['dev_1a', '{"device_id":"dev_1a"}', true],
  ['dev_1a', 'Phishing on device dev_1a.', true],
  ['dev_1a', 'device_id=dev_1a&severity=high', true],
  ['dev_1a', '{"text":"two lines:\\ndev_1a"}', true],
  ['dev_1a', '{"device_id":"dev_1ab"}', false],
  ['dev_1a', '{"device_id":"dev_1a-2"}', false],
  ['dev_1a', '{"device_id":"my-dev_1a"}', false],
])('the device %s is named in %s: %s', (value, text, isNamed) => {
  expect(matcherOf({ type: 'device_id', value }).isNamedIn(text)).toBe(isNamed);
});

test.each([
  ['pkg:org.example.app', '["pkg:org.example.app"]', true],
  ['pkg:org.example.app', '["pkg:org.example.app.two"]', false],
  ['pkg:org.example.app', 'indicator=pkg%3Aorg.example.app', true],
  ['block', '{"action_taken":"block","description":"block it"}', false],
  ['block', '{"indicators":["allow","block"]}', true],
  ['a"b:12345', '{"indicators":["a\\"b:12345"]}', true],
])('the indicator %s is named in %s: %s', (value, text, isNamed) => {
  expect(matcherOf({ type: 'indicator', value }).isNamedIn(text)).toBe(isNamed);
});
