/**
 * Requests of one tenant that use the store at the same time. Reads of SQLite follow one another, and PostgreSQL has a
 * bounded number of connections: a tenant that sends many expensive requests at once must not be ahead of all others.
 */
const SLOTS_PER_TENANT = 2;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs a few tasks of each tenant at a time. The others of that tenant wait, in order; other tenants do not. */
export class TenantSlots {
  readonly #slots: number;
  /** Only tenants that have a task. */
  readonly #lines = new Map<string, Line>();

  constructor(slots = SLOTS_PER_TENANT) {
    this.#slots = slots;
  }

  async run<Result>(tenantId: string, task: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(tenantId) ?? { running: 0, waiting: [] };
    this.#lines.set(tenantId, line);
    if (line.running < this.#slots) line.running += 1;
    // A task that ends hands its slot over, so that none that arrives meanwhile comes first.
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else line.running -= 1;
      if (line.running === 0) this.#lines.delete(tenantId);
    }
  }
}
