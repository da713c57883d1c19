import { incidentStore } from '../incidents/index.ts';
import type { RecordSource } from './record-source.ts';
import type { Removal } from './removal.ts';
import { removeIncidents } from './remove-derived.ts';
import { deleteRows, keyOf, listRows, type Row, updateRows } from './subject-rows-store.ts';

interface NamedRows {
  readonly source: RecordSource;
  readonly rows: readonly Row[];
}

/** Replaces the name of the subject in texts. The rows belong to something else. */
export async function redactRows(removal: Removal, { source, rows }: NamedRows): Promise<void> {
  const { tx, tenantId, matcher } = removal;
  const keys = rows.map((row) => keyOf(source, row));
  // Again, because they may have changed since the search.
  for (const row of await listRows(tx, tenantId, { source, keys })) {
    const texts = source.texts.flatMap((column) => {
      const text = row[column];
      return typeof text === 'string' ? [[column, matcher.redact(text)] as const] : [];
    });
    const change = { source, keys: [keyOf(source, row)], changes: Object.fromEntries(texts) };
    removal.add(source.table, await updateRows(tx, tenantId, change));
  }
}

/** Deletes incidents about the subject, and replaces its name in those that only mention it. */
export async function settleIncidents(removal: Removal, { source, rows }: NamedRows): Promise<void> {
  const { tx, tenantId, matcher } = removal;
  const isAbout = (key: string) => key === matcher.key || matcher.isNamedIn(key);
  const about = rows.filter((row) => isAbout(String(row.correlation_key)));
  await removeIncidents(
    removal,
    about.map((row) => String(row.incident_id)),
  );
  for (const row of rows.filter((each) => !about.includes(each))) {
    const incident = await incidentStore.find(tx, tenantId, String(row.incident_id));
    if (!incident) continue;
    const { message, assignee, tags, version } = incident;
    const redacted = {
      message: matcher.redact(message),
      assignee: assignee === null ? null : matcher.redact(assignee),
      // Like a list in JSON, in which a word that is not distinctive is recognized too.
      tags: [...new Set(JSON.parse(matcher.redact(JSON.stringify(tags))) as string[])],
      version: version + 1,
    };
    await incidentStore.saveMany(tx, tenantId, [{ ...incident, ...redacted }]);
    removal.add(source.table, 1);
  }
}

/** Deletes what people wrote about the subject, and replaces its name in entries of the service: these can name others. */
export async function settleTimeline(removal: Removal, { source, rows }: NamedRows): Promise<void> {
  const { tx, tenantId } = removal;
  const isOfService = (row: Row) => row.actor === 'service';
  const keys = rows.filter((row) => !isOfService(row)).map((row) => keyOf(source, row));
  removal.add(source.table, await deleteRows(tx, tenantId, { source, keys }));
  await redactRows(removal, { source, rows: rows.filter(isOfService) });
}
