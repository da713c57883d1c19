import type { Mail } from '../../../platform/mail/mail.ts';

/**
 * Writes the mail about the first proof of an address. It contains nothing that the creator of the account has chosen, such
 * as the name.
 */
export function toVerificationMail(to: string, endedItems: readonly string[]): Mail {
  return {
    to,
    subject: 'Your e-mail address is verified',
    text: `Your e-mail address is now verified for your account of the Threat Protection Service.

The account existed before. Someone else could have created it with your address, so everything that
could sign in to it has ended:

${endedItems.map((item) => `- ${item}`).join('\n')}

Set up again what you need. If you did not create the account, tell the admins of your tenants: what
the account has set up there, such as API tokens, still works.
`,
  };
}
