import { inspect } from 'node:util';

const REDACTED = '[secret]';

/**
 * Holds a value that must not end up in a log, an error or an answer by accident. Whatever prints it shows a
 * placeholder; only `reveal()` gives it out, which makes every place that uses a secret easy to find.
 */
export class Secret<Value extends string | Buffer = string> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  reveal(): Value {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
