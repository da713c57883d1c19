import { expect, test } from 'vitest';
import { matcherOf, type Subject } from './subject.ts';

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
  ['CORP\\bob1234', '{"indicators":["CORP\\\\bob1234"]}', true],
  ['C:\\new\\x1.exe', 'found C:\\new\\x1.exe here', true],
  ['user:1234', '["user:1234:laptop"]', false],
  ['pkg:npm/a1', '["pkg:npm/a1/b"]', false],
  ['agent1234', '["agent1234+y"]', false],
  ['sha256:abc12345', '["file:sha256:abc12345/x"]', false],
  ['user:1234', 'indicator=user%3A1234%2Cother', true],
])('the indicator %s is named in %s: %s', (value, text, isNamed) => {
  expect(matcherOf({ type: 'indicator', value }).isNamedIn(text)).toBe(isNamed);
});

test.each<[Subject, string, string]>([
  [{ type: 'device_id', value: 'dev_1a' }, 'dev_1a (since noon), dev_1ab', '[erased] (since noon), dev_1ab'],
  [{ type: 'device_id', value: 'dev_1a' }, '["a\\ndev_1a","dev_1a"]', '["a\\n[erased]","[erased]"]'],
  [{ type: 'indicator', value: 'block' }, '["block","allow","block"]', '["[erased]","allow","[erased]"]'],
])('the name of %j is replaced in %s', (subject, text, redacted) => {
  expect(matcherOf(subject).redact(text)).toBe(redacted);
});

test('a long run of backslashes does not hold the search', () => {
  const text = `dev_1${'\\'.repeat(100_000)}`;
  expect(matcherOf({ type: 'device_id', value: 'dev_1a' }).isNamedIn(text)).toBe(false);
});

test('a long run of the signs of an indicator does not slow the search down', () => {
  const { isNamedIn, redact } = matcherOf({ type: 'indicator', value: '::::::::' });
  // The maximum length of an artifact.
  const text = `a${':'.repeat(64_000)}a`;
  const before = process.cpuUsage();
  isNamedIn(text);
  redact(text);
  const { user, system } = process.cpuUsage(before);
  // Work that grows with the square of the length takes seconds.
  expect(user + system).toBeLessThan(500_000);
});
