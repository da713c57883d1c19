import { listPolicies, MAX_PAGE_LIMIT, type Policy, type QueryOf } from '@tps/contract';
import type { Database } from '../../database/index.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { digestTag } from '../../platform/http/digest-tag.ts';
import { type Page, readPage } from '../../platform/http/page.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toPolicy } from './policy.ts';
import * as policyStore from './policy-store.ts';

interface Parts {
  readonly database: Pick<Database, 'read'>;
  readonly cursors: CursorCodec;
}

/** The body of GET /policies. */
export function readPolicyPage(
  { database, cursors }: Parts,
  tenantId: TenantId,
  query: QueryOf<typeof listPolicies>,
): Promise<Page<Policy>> {
  return readPage({
    cursors,
    request: { tenantId, route: listPolicies.path, query },
    read: (page) => policyStore.list(database.read, tenantId, page),
    keyOf: (policy) => [policy.createdAtMs, policy.policyId],
    toItem: (policy) => toPolicy(policy, tenantId),
  });
}

/** The tag of GET /policies with the largest page; null if there are more policies, which that tag does not cover. */
export async function getPoliciesTag(parts: Parts, tenantId: TenantId): Promise<string | null> {
  const page = await readPolicyPage(parts, tenantId, { limit: MAX_PAGE_LIMIT });
  return page.has_more ? null : digestTag(JSON.stringify(page));
}
