import type { Row } from '../../../database/tables/index.ts';

/**
 * Returns whether the fields of an audit entry can be read. The hash chain of the audit log shows a damaged entry; the rest of
 * the store is compared without it.
 */
export function hasFields({ fields }: Pick<Row<'audit_entries'>, 'fields'>): boolean {
  try {
    const value: unknown = JSON.parse(fields);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
