import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, Timestamp } from '../schema/values.ts';

const ViewName = Type.String({ minLength: 1, maxLength: 80, description: 'Display name.' });

const ViewPage = Type.String({
  pattern: '^[a-z][a-z_-]{0,39}$',
  maxLength: 40,
  description: 'The page that the view opens, such as `incidents`.',
});

/** The characters of a query (RFC 3986 section 3.4), with complete escapes. */
const ViewQuery = Type.String({
  pattern: "^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$",
  maxLength: 4000,
  description: 'Query string of the page without the leading `?`: filters, columns and order.',
});

const Shared = Type.Boolean({
  description: 'Whether everyone in the tenant sees the view. Otherwise only its owner does.',
});

/** A named state of a page. */
export const SavedView = closed(
  {
    view_id: idOf('view'),
    tenant_id: idOf('tenant'),
    name: ViewName,
    page: ViewPage,
    query: ViewQuery,
    shared: Shared,
    owner: closed({
      type: Type.String({ description: '`account`, `token` or `oauth_client`.' }),
      id: Type.String(),
    }),
    own: Type.Boolean({ description: 'Whether the view belongs to the caller.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'SavedView', description: 'A named state of a page: which filters, columns and order.' },
);
export type SavedView = Static<typeof SavedView>;

export const NewView = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: ViewName,
    page: ViewPage,
    query: ViewQuery,
    shared: Type.Optional(Type.Boolean({ default: false, description: 'Requires `views:share` when true.' })),
  },
  { $id: 'NewView', description: 'A view to save.' },
);
export type NewView = Static<typeof NewView>;

export const ViewChange = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: Type.Optional(ViewName),
    query: Type.Optional(ViewQuery),
    shared: Type.Optional(Shared),
  },
  { $id: 'ViewChange', minProperties: 1, description: 'Members to change; the others stay as they are.' },
);
export type ViewChange = Static<typeof ViewChange>;
