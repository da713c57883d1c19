import { type Database, type Queries, settingsStore } from '../../../database/index.ts';
import type { Logger } from '../../../platform/logger.ts';
import { type CheckRecord, merge } from './check-record.ts';

/** `isShared`: the record is that of all processes, and not only of this one. */
type Change = (record: CheckRecord | undefined, isShared: boolean) => CheckRecord | undefined;

interface Update {
  readonly before: CheckRecord | undefined;
  readonly after: CheckRecord | undefined;
}

/**
 * What all processes remember about checks. It is in the store. While the store does not work, this process remembers its
 * own part, and adds it when the store works again.
 */
export class CheckMemory {
  readonly #database: Database;
  readonly #logger: Logger;
  /** By the name of the check. */
  readonly #own = new Map<string, CheckRecord | undefined>();
  /** The checks whose own record is not stored. */
  readonly #unsaved = new Set<string>();

  constructor({ database, logger }: { database: Database; logger: Logger }) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Changes the record of a check. `change` may be called more than once. */
  async update(name: string, change: Change): Promise<Update> {
    try {
      const result = await this.#updateStored(name, change);
      this.#own.set(name, result.after);
      this.#unsaved.delete(name);
      return result;
    } catch (err) {
      const before = this.#own.get(name);
      const after = change(before, false);
      this.#own.set(name, after);
      if (after !== before && !this.#unsaved.has(name)) {
        this.#unsaved.add(name);
        // It may be the store that fails.
        this.#logger.warn({ err, check: name }, 'state of a notice to the operator could not be stored');
      }
      return { before, after };
    }
  }

  async #updateStored(name: string, change: Change): Promise<Update> {
    const { read } = this.#database;
    const found = toRecord(await settingsStore.find(read, settingOf(name)));
    if (!this.#unsaved.has(name) && change(found, true) === found) return { before: found, after: found };
    return this.#database.transaction((tx) => this.#write(tx, name, change), { repeatable: true });
  }

  async #write(tx: Queries, name: string, change: Change): Promise<Update> {
    const setting = settingOf(name);
    const stored = toRecord(await settingsStore.findForUpdate(tx, setting));
    const before = this.#unsaved.has(name) ? merge(stored, this.#own.get(name)) : stored;
    const after = change(before, true);
    if (after === stored) return { before, after };
    if (!after) await settingsStore.remove(tx, setting);
    else if (stored) await settingsStore.save(tx, setting, JSON.stringify(after));
    else if (!(await settingsStore.create(tx, setting, JSON.stringify(after)))) {
      // Another process has created it since it was read, and it is locked now.
      return this.#write(tx, name, change);
    }
    return { before, after };
  }
}

function settingOf(name: string): string {
  return `operator_notice_${name}`;
}

function toRecord(value: string | undefined): CheckRecord | undefined {
  return value === undefined ? undefined : (JSON.parse(value) as CheckRecord);
}
