import { type TProperties, type TSchema, Type } from 'typebox';
import { idOf } from './identifiers.ts';
import { closed } from './values.ts';
import { DEFAULT_PAGE_LIMIT } from './vocabulary.ts';

export const MAX_PAGE_LIMIT = 100;
export const MAX_FEED_PAGE_LIMIT = 500;

/** Selects the tenant of a request with an operator credential, which is not bound to a tenant. */
export const tenantQuery = {
  tenant_id: Type.Optional(
    idOf(
      'tenant',
      'Tenant to read or change. Required with an operator credential; any other credential may repeat its own tenant.',
    ),
  ),
};

/** Builds the query schema of a list: its filters plus `cursor`, `limit` and `tenant_id`. */
export function pageQuery<Filters extends TProperties>(filters: Filters, maxLimit = MAX_PAGE_LIMIT) {
  return closed({
    ...filters,
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          '`next_cursor` of the previous page. Opaque and bound to the tenant, the list and its filters; never expires.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxLimit,
        default: DEFAULT_PAGE_LIMIT,
        description: 'Maximum number of items on the page.',
      }),
    ),
    ...tenantQuery,
  });
}

/** Builds the response schema of a list. `next_cursor` is `null` after the last page, except on the feed, which has no last page. */
export function pageOf<Item extends TSchema, Extra extends TProperties>(
  name: string,
  item: Item,
  extra: Extra,
) {
  return closed(
    {
      data: Type.Array(item),
      has_more: Type.Boolean({ description: 'Whether more items are available now.' }),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Send it as `cursor` to read the next page.',
      }),
      ...extra,
    },
    { $id: name, description: 'One page of a list.' },
  );
}
