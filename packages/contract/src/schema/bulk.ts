import { type TProperties, type TSchema, type TString, Type } from 'typebox';
import { ERROR_CODES, type ErrorCode } from './errors.ts';
import { closed } from './values.ts';
import { BULK_LIMIT } from './vocabulary.ts';

/**
 * Builds the body of a bulk change of the items of a list. `filters` are those of the list: the members of its query
 * without the ones for paging.
 */
export function bulkOf<Filters extends TProperties, Change extends TSchema, Extra extends TProperties>(
  $id: string,
  parts: { id: TString; filters: Filters; change: Change; tenant: TString; extra: Extra },
) {
  return closed(
    {
      tenant_id: Type.Optional(parts.tenant),
      ids: Type.Optional(
        Type.Array(parts.id, {
          minItems: 1,
          maxItems: BULK_LIMIT,
          uniqueItems: true,
          description: 'The items to change. Either this or `filter` is required.',
        }),
      ),
      filter: Type.Optional(
        closed(parts.filters, {
          description:
            'Changes every item that the list returns for these filters; `{}` changes all. Set `until` to leave out items that arrive meanwhile.',
        }),
      ),
      change: parts.change,
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 512,
          description: '`next_cursor` of the previous answer to the same `filter`.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: BULK_LIMIT,
          default: BULK_LIMIT,
          description: 'Maximum number of items of a `filter` that this request changes.',
        }),
      ),
      ...parts.extra,
    },
    { $id, description: `Changes up to ${BULK_LIMIT} items, each on its own.` },
  );
}

/** Builds the answer to a bulk change. `previous` is the schema of what is needed to undo the change of an item. */
export function bulkResultsOf<Previous extends TProperties>($id: string, id: TString, previous: Previous) {
  return closed(
    {
      results: Type.Array(
        closed({
          id,
          status: Type.Integer({
            description: '200: the item is as requested; otherwise the status of the error.',
          }),
          error: Type.Optional(
            closed({
              code: Type.Unsafe<ErrorCode>({
                type: 'string',
                enum: ERROR_CODES,
                description: 'Stable error code, as of the operation on one item.',
              }),
              message: Type.String({ description: 'One sentence for people. May change.' }),
              status: Type.Integer(),
            }),
          ),
          ...previous,
        }),
        {
          maxItems: BULK_LIMIT,
          description: 'One result per item: in the order of `ids`, or in that of the list.',
        },
      ),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Send it as `cursor` to change the next items. `null` when none are left.',
      }),
    },
    { $id, description: 'Results of a bulk change.' },
  );
}
