import { getMember, listMembers, removeMember, updateMember } from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import type { RequestDatabase } from '../authority/index.ts';
import * as memberReadModel from './member-read-model.ts';
import type { MemberService } from './member-service.ts';

export function memberRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  members: MemberService;
}): Route[] {
  const { database, cursors, members } = parts;
  return [
    route(listMembers, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listMembers.path, query },
        read: (page) =>
          memberReadModel.list(database.read, tenantId, {
            filter: { role: toAnyOf(query.role), created: toTimeRange(query) },
            page,
          }),
        keyOf: (member) => [member.account_id],
        toItem: (member) => member,
      }),
    })),

    route(getMember, async ({ tenantId, id }) => ({ status: 200, body: await members.get(tenantId, id) })),

    route(updateMember, async (exchange) => {
      const { tenantId, id: accountId } = exchange;
      const { role } = exchange.body();
      await members.setRole({ tenantId, accountId, role }, exchange);
      return { status: 200, body: await members.get(tenantId, accountId) };
    }),

    route(removeMember, async (exchange) => {
      const { tenantId, id: accountId, query } = exchange;
      await members.remove({ tenantId, accountId, endsSignOn: query.sign_on === 'delete' }, exchange);
      return { status: 204 };
    }),
  ];
}
