import type { Part, PerPart, Share, Usage } from './share.ts';

const INITIAL_CAPACITY = 8;
/** Bounds what a refusal costs: 0.3 ms. */
const MAX_WALKED = 1_000;

type Requester = Pick<Share, 'part' | 'holder'>;

/** A requester whose admissions the log contains. */
interface Holder {
  readonly name: string;
  readonly part: Part;
  count: number;
}

/**
 * The times at which one key was admitted, oldest first, in a ring buffer that grows with use. Admissions of no holder,
 * such as those of addresses, of which there are many, take less memory. They count as those of programs.
 */
export class AdmissionLog {
  #times = new Float64Array(INITIAL_CAPACITY);
  #holders: (Holder | undefined)[] = [];
  #byName: Map<string, Holder> | undefined;
  readonly #used = { programs: 0, devices: 0, people: 0 };
  #head = 0;
  #count = 0;

  /** The number of admissions by part, and of a holder. */
  usageOf(requester: Requester | undefined): Usage {
    return { used: this.#used, own: this.#holderOf(requester)?.count ?? 0 };
  }

  get oldest(): number | undefined {
    return this.#at(0);
  }

  add(atMs: number, requester: Requester | undefined): void {
    if (this.#count === this.#times.length) this.#resize(this.#count * 2);
    const slot = this.#slot(this.#count);
    this.#times[slot] = atMs;
    this.#used[requester?.part ?? 'programs'] += 1;
    if (requester) this.#holders[slot] = this.#countIn(requester);
    else delete this.#holders[slot];
    this.#count += 1;
  }

  /** Drops every admission at or before this time. */
  dropUntil(atMs: number): void {
    for (let oldest = this.oldest; oldest !== undefined && oldest <= atMs; oldest = this.oldest) {
      const owner = this.#holders[this.#head];
      this.#used[owner?.part ?? 'programs'] -= 1;
      if (owner) this.#countOut(owner);
      this.#head = this.#slot(1);
      this.#count -= 1;
    }
  }

  /**
   * Returns the time of the admission that must have left, with all before it, until `isEnough` of what remains. The
   * newest one if that takes more than a thousand; undefined without admissions.
   */
  findBlocking(requester: Requester | undefined, isEnough: (left: Usage) => boolean): number | undefined {
    const holder = this.#holderOf(requester);
    const used: Record<Part, number> = { ...this.#used };
    const left = { used: used as PerPart, own: holder?.count ?? 0 };
    for (let index = 0; index < Math.min(this.#count, MAX_WALKED); index += 1) {
      const owner = this.#holders[this.#slot(index)];
      used[owner?.part ?? 'programs'] -= 1;
      if (owner !== undefined && owner === holder) left.own -= 1;
      if (isEnough(left)) return this.#at(index);
    }
    return this.#at(this.#count - 1);
  }

  /**
   * Moves admissions that lie in the future to now. They do so after the host's clock was set back, and would
   * otherwise block the key until the clock has caught up, which may take hours.
   */
  bringForward(nowMs: number): void {
    for (let index = this.#count - 1; index >= 0; index -= 1) {
      const slot = this.#slot(index);
      if ((this.#times[slot] ?? 0) <= nowMs) return;
      this.#times[slot] = nowMs;
    }
  }

  /** Undefined past the newest. */
  #at(index: number): number | undefined {
    return index >= 0 && index < this.#count ? this.#times[this.#slot(index)] : undefined;
  }

  #slot(index: number): number {
    return (this.#head + index) % this.#times.length;
  }

  #holderOf(requester: Requester | undefined): Holder | undefined {
    return requester && this.#byName?.get(toName(requester));
  }

  #countIn(requester: Requester): Holder {
    this.#byName ??= new Map();
    const name = toName(requester);
    const owner = this.#byName.get(name) ?? { name, part: requester.part, count: 0 };
    this.#byName.set(name, owner);
    owner.count += 1;
    return owner;
  }

  #countOut(owner: Holder): void {
    owner.count -= 1;
    if (owner.count === 0) this.#byName?.delete(owner.name);
  }

  #resize(capacity: number): void {
    const times = new Float64Array(capacity);
    const holders: (Holder | undefined)[] = [];
    for (let index = 0; index < this.#count; index += 1) {
      const slot = this.#slot(index);
      times[index] = this.#times[slot] ?? 0;
      if (this.#byName) holders[index] = this.#holders[slot];
    }
    this.#times = times;
    this.#holders = holders;
    this.#head = 0;
  }
}

function toName({ part, holder }: Requester): string {
  return `${part} ${holder}`;
}
