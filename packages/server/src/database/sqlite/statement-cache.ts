/** Keeps the most recently used prepared statements by their text. */
export class StatementCache<S> {
  readonly #prepare: (text: string) => S;
  readonly #limit: number;
  readonly #statements = new Map<string, S>();

  constructor(prepare: (text: string) => S, limit: number) {
    this.#prepare = prepare;
    this.#limit = limit;
  }

  get(text: string): S {
    const statement = this.#statements.get(text) ?? this.#prepare(text);
    // A Map keeps insertion order: used statements move to the end, so the first is the least recently used.
    this.#statements.delete(text);
    this.#statements.set(text, statement);
    if (this.#statements.size > this.#limit) {
      for (const [oldest] of this.#statements) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return statement;
  }
}
