import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { Feature, SharedParts } from '../feature.ts';
import { invitationPageRoutes } from './invitations/invitation-page-routes.ts';
import { invitationRoutes } from './invitations/invitation-routes.ts';
import { InvitationService } from './invitations/invitation-service.ts';
import { MailedLinkService } from './invitations/mailed-link-service.ts';
import { purgeInvitations } from './invitations/purge-invitations.ts';
import type { EndAccessOfMember } from './member-access.ts';
import { memberRoutes } from './member-routes.ts';
import { MemberService } from './member-service.ts';

interface Uses {
  readonly accounts: AccountsFeature;
  readonly endAccess: EndAccessOfMember;
}

/** The people of tenants: members, and the invitations by which they join. */
export function membersFeature(shared: SharedParts, { accounts, endAccess }: Uses) {
  const { database, requests, clock } = shared;
  const { service, sessions, throttle, verification } = accounts;
  const members = new MemberService({ requests, clock, endAccess });
  const invitations = new InvitationService({ clock });
  const parts = { ...shared, database: requests, members, invitations, throttle };
  return {
    ...{ invitations },
    routes: [...memberRoutes(parts), ...invitationRoutes(parts)],
    pages: invitationPageRoutes({
      ...{ database, clock, sessions, throttle, verification, endAccess },
      mailedLinks: new MailedLinkService({ ...shared, throttle }),
      accounts: service,
    }),
    chores: { invitations: () => purgeInvitations(database, clock.now()) },
  } satisfies Feature;
}
