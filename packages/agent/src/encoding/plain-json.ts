/** The service refuses what is nested deeper than 32; an event wraps metadata in two levels. */
const DEEPEST = 16;

/**
 * Copies a value as JSON has it. Halves of surrogate pairs and U+0000, which the service refuses, become U+FFFD: a
 * detector that cuts a text somewhere is no reason to lose its event.
 *
 * @throws TypeError naming the member that JSON or the service cannot take
 */
export function toPlainJson(value: unknown, member: string, depth = 1): unknown {
  if (depth > DEEPEST) throw new TypeError(`${member} is nested too deeply.`);
  switch (typeof value) {
    case 'string':
      return toPlainText(value);
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${member} must be a finite number.`);
      return value;
    case 'object':
      return value === null ? null : copyObject(value, member, depth);
    default:
      throw new TypeError(`${member} must be JSON, not ${typeof value}.`);
  }
}

/** Puts U+FFFD in place of what is no text. */
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

/** Bytes of the UTF-8 form of a value's JSON. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
