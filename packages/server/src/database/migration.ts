import type { Kysely } from 'kysely';
import type { Engine } from './engine.ts';

export interface Migration {
  /** Number and name of its file: `0001-create-service-settings`. Never changed after a release. */
  readonly name: string;
  /** Changes the schema from the state after the previous migration. Runs in a transaction. */
  up(db: Kysely<unknown>, engine: Engine): Promise<void>;
}
