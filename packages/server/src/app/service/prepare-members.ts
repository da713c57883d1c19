import type { Database } from '../../database/index.ts';
import type { RequestDatabase } from '../../features/authority/index.ts';
import { holdingRoutes } from '../../features/holdings/holding-routes.ts';
import type { Holdings } from '../../features/holdings/index.ts';
import type { EndAccessOfMember } from '../../features/members/index.ts';
import { invitationPageRoutes } from '../../features/members/invitations/invitation-page-routes.ts';
import { invitationRoutes } from '../../features/members/invitations/invitation-routes.ts';
import { InvitationService } from '../../features/members/invitations/invitation-service.ts';
import { MailedLinkService } from '../../features/members/invitations/mailed-link-service.ts';
import { memberRoutes } from '../../features/members/member-routes.ts';
import { MemberService } from '../../features/members/member-service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { WebRoute, WebSite } from '../../platform/web/web-route.ts';
import { createEndAccessOfMember } from './account-ties.ts';
import type { Accounts } from './prepare-accounts.ts';

interface MembersParts {
  readonly database: Database;
  readonly requests: RequestDatabase;
  readonly clock: Clock;
  readonly cursors: CursorCodec;
  readonly accounts: Accounts;
  readonly mailer: Mailer;
  readonly site: WebSite;
  readonly holdings: Holdings;
}

export interface Members {
  readonly invitations: InvitationService;
  readonly routes: readonly Route[];
  readonly pages: readonly WebRoute[];
  readonly endAccess: EndAccessOfMember;
}

/** Connects the people of tenants: members, and the invitations by which they join. */
export function prepareMembers(parts: MembersParts): Members {
  const { database, requests, clock, cursors, accounts, mailer, site, holdings } = parts;
  const endAccess = createEndAccessOfMember({ database, clock, holdings });
  const members = new MemberService({ requests, clock, endAccess });
  const invitations = new InvitationService({ clock });
  const { service, sessions, throttle, verification } = accounts;
  return {
    endAccess,
    invitations,
    routes: [
      ...memberRoutes({ database: requests, cursors, members }),
      ...holdingRoutes({ database: requests, cursors, holdings }),
      ...invitationRoutes({ database: requests, cursors, clock, invitations, mailer, throttle, site }),
    ],
    pages: invitationPageRoutes({
      ...{ database, clock, sessions, throttle, verification, endAccess },
      mailedLinks: new MailedLinkService({ database, clock, throttle, mailer }),
      accounts: service,
    }),
  };
}
