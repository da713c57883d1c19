import type { Kysely } from 'kysely';
import type { Engine } from './engine.ts';

export interface Migration {
  /** Number and name of its file: `0001-create-service-settings`. Never changed once it has run anywhere. */
  readonly name: string;
  /** Changes the schema, inside a transaction, from what the migration before it left. */
  up(db: Kysely<unknown>, engine: Engine): Promise<void>;
}
