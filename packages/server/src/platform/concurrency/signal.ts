/** Wakes one sleeper. A wake-up without a sleeper is kept for the next `sleep`. */
export class Signal {
  #isSet = false;
  #wakeSleeper: (() => void) | undefined;

  set(): void {
    this.#isSet = true;
    this.#wakeSleeper?.();
  }

  /** Resolves when the signal is set, or after `ms`. */
  async sleep(ms: number): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wakeSleeper = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wakeSleeper = undefined;
    }
    this.#isSet = false;
  }
}
