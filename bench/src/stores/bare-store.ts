import type { SampleTables } from './sample-rows.ts';

/** A store without the service around it. */
export interface BareStore {
  /** Inserts these rows in one transaction. */
  insert(tables: SampleTables): Promise<void>;
  close(): Promise<void>;
}
