/** One row per applied migration. Only the migration runner writes it. */
export interface SchemaMigrationsTable {
  /** The migration's name: `0001-create-service-settings`. */
  name: string;
  /** Milliseconds since the epoch. */
  applied_at: number;
}
