import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './engine.ts';

interface ColumnTypes {
  /** Compares by bytes on both engines, so that keys sort alike and no upgrade of a collation reorders an index. */
  readonly text: RawBuilder<string>;
  readonly bytes: 'blob' | 'bytea';
  readonly int64: 'integer' | 'bigint';
  readonly float64: 'real' | 'double precision';
  /** For `modifyEnd`: rows lie in the order of the key, which saves SQLite a second tree. Nothing on PostgreSQL. */
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

/** Gives what a migration calls the types of columns on an engine. */
export function columnTypes(engine: Engine): ColumnTypes {
  return COLUMN_TYPES[engine];
}
