import { openWriter, toSqlitePath } from './sqlite-connection.ts';

/**
 * Stores a setting of the installation from a short-lived command, beside the process that has the store open. It does not
 * migrate the store. It waits up to 5 s for a transaction that runs.
 */
export function saveSqliteSetting(url: string, setting: { name: string; value: string }): void {
  const handle = openWriter(toSqlitePath(url));
  try {
    handle
      .prepare(
        `insert into service_settings (name, value) values (@name, @value)
         on conflict (name) do update set value = excluded.value`,
      )
      .run(setting);
  } finally {
    handle.close();
  }
}
