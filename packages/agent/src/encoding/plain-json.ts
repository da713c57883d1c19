import { isExactNumber } from '@tps/contract/json';

/** The service refuses JSON nested deeper than 32; an event wraps metadata in two levels. */
const MAX_DEPTH = 16;

const NUMBER = `a number within ±${Number.MAX_SAFE_INTEGER}, or a string`;

/**
 * Copies a value as plain JSON. Lone surrogates and U+0000, which the service refuses, become U+FFFD: an event must not
 * be lost because a detector cut a text within a character.
 *
 * @throws TypeError naming the member that JSON or the service does not accept
 */
export function toPlainJson(value: unknown, member: string, depth = 1): unknown {
  if (depth > MAX_DEPTH) throw new TypeError(`${member} must not be nested deeper than ${MAX_DEPTH} levels.`);
  switch (typeof value) {
    case 'string':
      return toPlainText(value);
    case 'boolean':
      return value;
    case 'number':
      if (!isExactNumber(value)) throw new TypeError(`${member} must be ${NUMBER}.`);
      return value;
    case 'object':
      return value === null ? null : copyObject(value, member, depth);
    default:
      throw new TypeError(`${member} must be JSON, not ${typeof value}.`);
  }
}

/** Replaces lone surrogates and U+0000 with U+FFFD. */
export function toPlainText(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\0/g, '\uFFFD');
}

function copyObject(value: object, member: string, depth: number): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => toPlainJson(item, `${member}[${index}]`, depth + 1));
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const forbidden = entries.find(([key]) => key === '__proto__');
  if (forbidden !== undefined) throw new TypeError(`${member} must not have a member __proto__.`);
  return Object.fromEntries(
    entries.map(([key, item]) => [
      toPlainText(key),
      toPlainJson(item, `${member}.${toPlainText(key)}`, depth + 1),
    ]),
  );
}
