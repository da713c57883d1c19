const INITIAL_CAPACITY = 8;

/** The times at which one key was admitted, oldest first, in a ring that grows with use. */
export class AdmissionLog {
  #times = new Float64Array(INITIAL_CAPACITY);
  #head = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The time of the admission at this place, 0 being the oldest. Undefined beyond the newest. */
  at(place: number): number | undefined {
    return place < this.#count ? this.#times[(this.#head + place) % this.#times.length] : undefined;
  }

  get newest(): number | undefined {
    return this.#count === 0 ? undefined : this.at(this.#count - 1);
  }

  add(atMs: number): void {
    if (this.#count === this.#times.length) this.#resize(this.#count * 2);
    this.#times[(this.#head + this.#count) % this.#times.length] = atMs;
    this.#count += 1;
  }

  /** Forgets every admission at or before this time. */
  dropUntil(atMs: number): void {
    for (let oldest = this.at(0); oldest !== undefined && oldest <= atMs; oldest = this.at(0)) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.#count -= 1;
    }
  }

  /**
   * Moves admissions that lie in the future to now. They do when the host's clock was turned back; left alone they
   * would hold their places until the clock has caught up again, which may be hours.
   */
  bringForward(nowMs: number): void {
    for (let place = this.#count - 1; place >= 0; place -= 1) {
      const slot = (this.#head + place) % this.#times.length;
      if ((this.#times[slot] ?? 0) <= nowMs) return;
      this.#times[slot] = nowMs;
    }
  }

  #resize(capacity: number): void {
    const times = new Float64Array(capacity);
    for (let place = 0; place < this.#count; place += 1) times[place] = this.at(place) ?? 0;
    this.#times = times;
    this.#head = 0;
  }
}
