import type { ErrorCode } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../../database/index.ts';
import type { Caller } from '../../../platform/http/route.ts';
import type { AnyOf } from '../../../platform/list-filters.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { ActingRequest } from '../../audit/index.ts';
import * as assigneeReadModel from './assignee-read-model.ts';

/** Stands for the person who makes the request. */
const ME = 'me';

/** Returns the account of the person who makes a request. @throws ServiceError with the code if a token makes it */
function requirePerson({ issued }: Pick<Caller, 'issued'>, code: ErrorCode): string {
  const accountId = issued?.accountId ?? null;
  if (accountId !== null) return accountId;
  throw new ServiceError(code, 'assignee can be me only when a person signed in; name the assignee');
}

/** Replaces `me` in a filter. @throws ServiceError `invalid_parameter` for `me` of a token */
export function resolveAssignees(filter: AnyOf | undefined, caller: Caller): AnyOf | undefined {
  if (!filter?.values.includes(ME)) return filter;
  const own = requirePerson(caller, 'invalid_parameter');
  return { ...filter, values: filter.values.map((value) => (value === ME ? own : value)) };
}

/** Returns the assignee to store. @throws ServiceError `invalid_field` for `me` of a token, and for an account of no member */
export async function resolveAssignee(
  queries: ReadQueries,
  tenantId: TenantId,
  { assignee, request }: { assignee: string; request: ActingRequest },
): Promise<string> {
  if (assignee === ME) return requirePerson(request.caller, 'invalid_field');
  if (!assignee.startsWith(`${ID_PREFIXES.account}_`)) return assignee;
  if (await assigneeReadModel.isMember(queries, tenantId, assignee)) return assignee;
  throw new ServiceError('invalid_field', 'assignee must be a member of the tenant');
}
