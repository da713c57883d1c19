import type { Mail } from '../../../platform/mail/mail.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { type ThrottleKey, toMailboxKey } from '../../accounts/index.ts';
import type { InvitationRecord } from './invitation.ts';

/** Returns the keys under which the mails are counted that a tenant, or anyone with a link of it, has sent to an address. */
export function mailKeys(tenantId: TenantId, email: string): ThrottleKey[] {
  const mailbox = toMailboxKey(email);
  return [
    { budget: 'invitation', value: `${tenantId} ${mailbox}` },
    { budget: 'mailbox', value: mailbox },
    { budget: 'inviter', value: tenantId },
  ];
}

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
