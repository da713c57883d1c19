import { expect, it } from 'vitest';
import { findLinks } from '../normalize/find-links.ts';
import { redactText } from './redact-text.ts';

it.each([
  'anna-mueller\\.top/verify?u=anna',
  'anna-mueller dot top slash verify',
  'anna-mueller .top/verify?u=anna',
  'anna-mueller[.]top/verify',
  'anna-mueller{dot}top/verify',
  'anna-mueller [.] top/verify',
  'anna-mueller[.top/verify',
  'hxxps://anna-mueller[.]top/verify',
  'hxxp[:]//anna-mueller.top/verify',
  'http colon slash slash anna-mueller dot top slash verify',
])('a link that scans read is redacted: %s', (link) => {
  const text = `see ${link} now`;
  expect(findLinks(text)).toHaveLength(1);
  const redacted = redactText(text);
  expect(redacted).toMatch(/^see url:sha256:[0-9a-f]{64} now$/);
  expect(redactText(redacted)).toBe(redacted);
});

it.each([
  'the dot in the middle',
  'a dotted line',
  'He said . and left',
  'C:\\.config is there',
  'x.d and y.d',
])('other words with dots stay: %s', (text) => {
  expect(redactText(text)).toBe(text);
});
