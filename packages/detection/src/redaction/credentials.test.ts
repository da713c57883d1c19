import { expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

it.each([
  ['anna:geheim@10.0.0.5', '[user]@10.0.0.0/24'],
  ['anna:geheim@localhost', '[user]@localhost'],
  ['anna:geheim@fileserver:8080/x', '[user]@fileserver:8080/x'],
  ['connect with root:hunter2@db-1, then', 'connect with [user]@db-1, then'],
  ['root:p4ss@[2001:db8::1]', '[user]@[2001:db8::/48]'],
  ['dsn=app:s3cr3t@pg:5432/main', 'dsn=[user]@pg:5432/main'],
  ['(anna.m:geheim@10.0.0.5)', '([user]@10.0.0.0/24)'],
])('a user and a password before a host are redacted: %s', (written, expected) => {
  expect(redactText(written)).toBe(expected);
  expect(redactText(expected)).toBe(expected);
});

it.each(['user:secret@host.example.com/x', 'user:secret@host.example.com:8080', 'a:b@h.example.org/?q=1'])(
  'the user and the password before a domain with a port or a path are redacted: %s',
  (written) => {
    expect(redactText(written)).toMatch(/^\[user\]@/);
  },
);

it.each([
  ['mailto:jane@example.com', 'mailto:[email]'],
  ['contact:jane@example.com', 'contact:[email]'],
  ['sip:jane@10.0.0.5', 'sip:jane@10.0.0.0/24'],
  ['git@github.com:org/repo.git', '[email]:org/repo.git'],
  ['nginx:1.27@sha256:0123456789abcdef', 'nginx:1.27@sha256:0123456789abcdef'],
  ['lodash:1@4.17.21', 'lodash:1@4.17.21'],
])('%s has no password', (written, expected) => {
  expect(redactText(written)).toBe(expected);
});
