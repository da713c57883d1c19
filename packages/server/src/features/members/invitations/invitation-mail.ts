import type { Mail } from '../../../platform/mail/mail.ts';
import type { InvitationRecord } from './invitation.ts';

/** Writes the mail with which a person is invited. */
export function toInvitationMail(
  { role, expiresAtMs }: InvitationRecord,
  { to, tenantName, link }: { to: string; tenantName: string; link: string },
): Mail {
  return {
    to,
    subject: `Invitation to ${tenantName}`,
    text: `You are invited to the tenant ${tenantName} of the Threat Protection Service, with the role ${role}.

To accept, open this link. It works once, until ${new Date(expiresAtMs).toUTCString()}:

${link}

If you did not expect this, ignore this mail.
`,
  };
}
