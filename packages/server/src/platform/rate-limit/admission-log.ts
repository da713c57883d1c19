const INITIAL_CAPACITY = 8;

/** The times at which one key was admitted, oldest first, in a ring buffer that grows with use. */
export class AdmissionLog {
  #times = new Float64Array(INITIAL_CAPACITY);
  #head = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns the time of the admission at this index; 0 is the oldest. Undefined past the newest. */
  at(index: number): number | undefined {
    return index < this.#count ? this.#times[(this.#head + index) % this.#times.length] : undefined;
  }

  get newest(): number | undefined {
    return this.#count === 0 ? undefined : this.at(this.#count - 1);
  }

  add(atMs: number): void {
    if (this.#count === this.#times.length) this.#resize(this.#count * 2);
    this.#times[(this.#head + this.#count) % this.#times.length] = atMs;
    this.#count += 1;
  }

  /** Takes the newest admission back. */
  removeNewest(): void {
    if (this.#count > 0) this.#count -= 1;
  }

  /** Drops every admission at or before this time. */
  dropUntil(atMs: number): void {
    for (let oldest = this.at(0); oldest !== undefined && oldest <= atMs; oldest = this.at(0)) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.#count -= 1;
    }
  }

  /**
   * Moves admissions that lie in the future to now. They do so after the host's clock was set back, and would
   * otherwise block the key until the clock has caught up, which may take hours.
   */
  bringForward(nowMs: number): void {
    for (let index = this.#count - 1; index >= 0; index -= 1) {
      const slot = (this.#head + index) % this.#times.length;
      if ((this.#times[slot] ?? 0) <= nowMs) return;
      this.#times[slot] = nowMs;
    }
  }

  #resize(capacity: number): void {
    const times = new Float64Array(capacity);
    for (let index = 0; index < this.#count; index += 1) times[index] = this.at(index) ?? 0;
    this.#times = times;
    this.#head = 0;
  }
}
