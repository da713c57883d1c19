/** Draws numbers that are the same for the same seed, so that each population looks alike. */
export interface Dice {
  /** From 0 up to, and without, 1. */
  next(): number;
  whole(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small and even enough for demonstration data. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (below: number) => Math.floor(next() * below);
  return {
    next,
    whole,
    pick: (items) => {
      const item = items[whole(items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
  };
}
