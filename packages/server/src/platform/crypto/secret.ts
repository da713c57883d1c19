import { inspect } from 'node:util';

const REDACTED = '[secret]';

/**
 * Holds a value that must not leak into a log, an error or a response. Printing it shows a placeholder; only
 * `reveal()` returns the value, which makes every use of a secret easy to find.
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
