import { type TProperties, type TSchema, Type } from 'typebox';
import { idOf } from './identifiers.ts';
import { closed } from './values.ts';

export const DEFAULT_PAGE_LIMIT = 20;
export const MAX_PAGE_LIMIT = 100;
export const MAX_FEED_PAGE_LIMIT = 500;

/** Names the tenant for a credential that is bound to none. A bound credential may repeat its own. */
export const tenantQuery = {
  tenant_id: Type.Optional(
    idOf('tenant', 'Needed by operator credentials only; others may repeat their own.'),
  ),
};

/** Builds the query of a list: its filters, and `cursor`, `limit`, `tenant_id` like every list. */
export function pageQuery<Filters extends TProperties>(filters: Filters, maxLimit = MAX_PAGE_LIMIT) {
  return closed({
    ...filters,
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: '`next_cursor` of the page before. Opaque; never expires.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxLimit,
        default: DEFAULT_PAGE_LIMIT,
        description: 'Most items on the page.',
      }),
    ),
    ...tenantQuery,
  });
}

/** Builds the answer of a list. `next_cursor` is `null` after the last page, except on the feed, which has no last page. */
export function pageOf<Item extends TSchema, Extra extends TProperties>(
  name: string,
  item: Item,
  extra: Extra,
) {
  return closed(
    {
      data: Type.Array(item),
      has_more: Type.Boolean({ description: 'More items are there now.' }),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Send it as `cursor` to read on.',
      }),
      ...extra,
    },
    { $id: name, description: 'One page of a list.' },
  );
}
