import { expect, test } from 'vitest';
import { sanitizeLine, sanitizeText, toSafeJson } from './sanitize.ts';

const HOSTILE = 'a\u001b]0;title\u0007b\u009b31mc\u202ed\u2028e\r\nf\tg\u0000';

test('control and bidirectional characters are escaped', () => {
  expect(sanitizeLine(HOSTILE)).toBe('a\\u001b]0;title\\u0007b\\u009b31mc\\u202ed\\u2028e f g\\u0000');
});

test('a text of several lines keeps its line feeds only', () => {
  expect(sanitizeText('one\r\ntwo\rthree\u001b[2J')).toBe('one\ntwo\\u000dthree\\u001b[2J');
});

test('JSON is safe on a terminal and has the same value', () => {
  const text = toSafeJson({ [HOSTILE]: HOSTILE }, 2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be escaped
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
  expect(JSON.parse(text)).toEqual({ [HOSTILE]: HOSTILE });
});

test('text in any script is unchanged', () => {
  expect(sanitizeLine('Größe 電話 🚨 naïve')).toBe('Größe 電話 🚨 naïve');
});
