/** One row for each migration that has run. Written by the migration runner alone. */
export interface SchemaMigrationsTable {
  /** The migration's name: `0001-create-service-settings`. */
  name: string;
  /** Milliseconds since the epoch. */
  applied_at: number;
}
