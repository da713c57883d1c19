import type { TestService } from './test-service.ts';

/** Lists the audit entries of a resource, oldest first, as `<action> <outcome>`. */
export async function listAudit({ service }: TestService, resourceId: string): Promise<string[]> {
  const rows = await service.database.read.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome'])
    .where('resource_id', '=', resourceId)
    .orderBy('audit_id')
    .execute();
  return rows.map(({ action, outcome }) => `${action} ${outcome}`);
}
