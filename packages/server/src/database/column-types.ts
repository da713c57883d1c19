import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './engine.ts';

interface ColumnTypes {
  /** Compares by bytes on both engines: keys sort the same, and upgrading a collation cannot reorder an index. */
  readonly text: RawBuilder<string>;
  readonly bytes: 'blob' | 'bytea';
  readonly int64: 'integer' | 'bigint';
  readonly float64: 'real' | 'double precision';
  /** For `modifyEnd`: stores rows in key order, which saves SQLite a second tree. Empty on PostgreSQL. */
  readonly inKeyOrder: RawBuilder<unknown>;
}

const COLUMN_TYPES: Readonly<Record<Engine, ColumnTypes>> = {
  sqlite: {
    text: sql`text`,
    bytes: 'blob',
    int64: 'integer',
    float64: 'real',
    inKeyOrder: sql`without rowid`,
  },
  postgres: {
    text: sql`text collate "C"`,
    bytes: 'bytea',
    int64: 'bigint',
    float64: 'double precision',
    inKeyOrder: sql``,
  },
};

/** Returns the names of column types for an engine. */
export function columnTypes(engine: Engine): ColumnTypes {
  return COLUMN_TYPES[engine];
}
