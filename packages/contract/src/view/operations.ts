import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { NewView, SavedView, ViewChange } from './schema.ts';

const view = {
  view_id: 'vew_06ays3w8jrv2k7d1m5q9x4t0zv',
  tenant_id: 'tnt_example',
  name: 'High severity, not assigned',
  page: 'incidents',
  query: 'severity=high,critical&status=open',
  shared: false,
  owner: { type: 'account', id: 'acc_06ays3w8jrv2k7d1m5q9x4t0za' },
  own: true,
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
};

const byId = { id: 'view', tag: 'views', scope: 'views:write' } as const;

export const listViews = operation({
  operationId: 'listViews',
  method: 'GET',
  path: '/views',
  tag: 'views',
  summary: 'List saved views',
  description: "The shared views of the tenant and the caller's own, newest first.",
  scope: 'views:write',
  query: pageQuery({ page: Type.Optional(SavedView.properties.page) }),
  responses: {
    200: {
      description: 'A page of views.',
      schema: pageOf('SavedViewPage', SavedView, {}),
      example: { data: [view], has_more: false, next_cursor: null },
    },
  },
});

export const createView = operation({
  operationId: 'createView',
  method: 'POST',
  path: '/views',
  tag: 'views',
  summary: 'Save a view',
  description:
    'The view belongs to the person who calls, also through an application; otherwise to the token or OAuth client. A shared one requires `views:share`. An owner can have 100 views and a tenant 2,000; one more is 422 `view_limit_reached`.',
  scope: 'views:write',
  body: NewView,
  bodyExample: { name: view.name, page: view.page, query: view.query },
  responses: { 201: { description: 'Saved.', schema: SavedView, example: view, headers: ['Location'] } },
  errors: ['view_limit_reached'],
});

export const getView = operation({
  ...byId,
  operationId: 'getView',
  method: 'GET',
  path: '/views/{id}',
  summary: 'Read one saved view',
  description: 'A view of someone else is 404 unless it is shared.',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 200: { description: 'The view.', schema: SavedView, example: view } },
});

export const updateView = operation({
  ...byId,
  operationId: 'updateView',
  method: 'PATCH',
  path: '/views/{id}',
  summary: 'Change a saved view',
  description:
    'A change of a shared view, and sharing one, requires `views:share`. A view that is no longer shared belongs to the caller, who can then have 100 views at most.',
  body: ViewChange,
  bodyExample: { shared: true },
  responses: {
    200: { description: 'The updated view.', schema: SavedView, example: { ...view, shared: true } },
  },
  errors: ['view_limit_reached'],
});

export const deleteView = operation({
  ...byId,
  operationId: 'deleteView',
  method: 'DELETE',
  path: '/views/{id}',
  summary: 'Delete a saved view',
  description: 'Of a shared view, this requires `views:share`. An unknown view is 404, also in a repeat.',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 204: { description: 'Deleted.' } },
});

export const viewOperations = [listViews, createView, getView, updateView, deleteView] as const;
