import {
  type CreatedInvitation,
  createInvitation,
  getInvitation,
  listInvitations,
  revokeInvitation,
} from '@tps/contract';
import { oncePerKey } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { TenantSlots } from '../../../platform/concurrency/tenant-slots.ts';
import type { CursorCodec } from '../../../platform/http/cursors.ts';
import { readPage } from '../../../platform/http/page.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { notFound } from '../../../platform/service-error.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';
import type { LoginThrottle } from '../../accounts/index.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import { tenantStore } from '../../tenants/index.ts';
import { type MintedInvitation, toInvitation, toInvitationLink } from './invitation.ts';
import { mailKeys, toInvitationMail } from './invitation-mail.ts';
import type { InvitationService } from './invitation-service.ts';
import * as invitationStore from './invitation-store.ts';

export function invitationRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  clock: Clock;
  invitations: InvitationService;
  mailer: Mailer;
  throttle: LoginThrottle;
  site: WebSite;
}): Route[] {
  const { database, cursors, clock, invitations, mailer, throttle, site } = parts;
  const { read } = database;
  // So that one tenant cannot use the whole mailer.
  const slots = new TenantSlots();

  /** Sends the link to the invited address, if there is one. After the commit: a mail cannot be taken back. */
  const sendLink = async ({
    record,
    secret,
    proof,
  }: MintedInvitation): Promise<CreatedInvitation['mail']> => {
    if (record.email === null || !mailer.isOn) return 'none';
    const { allowed } = await throttle.admit(mailKeys(record.tenantId, record.email));
    if (!allowed) return 'limited';
    const link = toInvitationLink(site.url, secret, proof);
    const tenantName = (await tenantStore.find(read, record.tenantId))?.name ?? 'a tenant';
    const mail = toInvitationMail(record, { to: record.email, tenantName, link });
    return slots.run(record.tenantId, () => mailer.send(mail));
  };

  return [
    route(listInvitations, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listInvitations.path, query },
        read: (page) => invitationStore.list(read, tenantId, page),
        keyOf: (invitation) => [invitation.invitationId],
        toItem: (invitation) => toInvitation(invitation, clock.now()),
      }),
    })),

    route(createInvitation, async (exchange) => {
      const wanted = exchange.body();
      await invitations.refuseEscalation(database, wanted.role, exchange);
      // Stays undefined when the request repeats an earlier one.
      let minted: MintedInvitation | undefined;
      const reply = await database.transaction(exchange, (tx, caller) =>
        oncePerKey(tx, {
          exchange,
          nowMs: clock.now(),
          work: async () => {
            minted = await invitations.create(tx, wanted, { ...exchange, caller });
            const { record } = minted;
            const location = `/invitations/${record.invitationId}`;
            return { status: 201, location, body: toInvitation(record, clock.now()) };
          },
          forRepeat: ({ body }) => body,
        }),
      );
      if (!minted) return reply;
      const link = toInvitationLink(site.url, minted.secret);
      const mail = await sendLink(minted);
      return { ...reply, body: { ...(reply.body as object), link, mail } };
    }),

    route(getInvitation, async ({ tenantId, id }) => {
      const invitation = await invitationStore.find(read, tenantId, id);
      if (!invitation) throw notFound('invitation');
      return { status: 200, body: toInvitation(invitation, clock.now()) };
    }),

    route(revokeInvitation, async (exchange) => {
      await database.transaction(exchange, (tx) => invitations.revoke(tx, exchange.id, exchange));
      return { status: 204 };
    }),
  ];
}
