import type { SchemaMigrationsTable } from './schema-migrations.ts';
import type { ServiceSettingsTable } from './service-settings.ts';

/**
 * The data model on a page. On both engines times are milliseconds since the epoch, flags are 0 or 1, hashes are
 * bytes and JSON is text. But for the tables of the installation itself, every key begins with the tenant.
 */
export interface Tables {
  schema_migrations: SchemaMigrationsTable;
  service_settings: ServiceSettingsTable;
}
