import { type Database, personRequester } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { TenantSlots } from '../../../platform/concurrency/tenant-slots.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import type { Mailer, MailOutcome } from '../../../platform/mail/mailer.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';
import { challengeStore, type LoginThrottle } from '../../accounts/index.ts';
import { COMMAND_LINE } from '../../audit/index.ts';
import type { Tenant } from '../../tenants/index.ts';
import { type InvitationRecord, toInvitationLink } from './invitation.ts';
import { mailKeys, toInvitationMail } from './invitation-mail.ts';
import type { MailedProof } from './proven-email.ts';

const LIFETIME_MS = 86_400_000;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly throttle: LoginThrottle;
  readonly mailer: Mailer;
}

/**
 * Mails links to people who want to join with a new account. Only the reader of the mail can create the account, so neither
 * the page nor the tenant shows whether the address already has one.
 */
export class MailedLinkService {
  readonly #parts: Parts;
  // So that one tenant cannot use the whole mailer.
  readonly #slots = new TenantSlots();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Whether the page of an invitation mails a link first. Without a mail server it cannot. For a link of the command line it
   * need not: the operator can read the store, and so already knows who has an account.
   */
  areNeeded({ createdBy }: InvitationRecord): boolean {
    return this.#parts.mailer.isOn && createdBy !== COMMAND_LINE.id;
  }

  /** Sends a link to an address. Returns after how many seconds it may be sent, if a limit is reached. */
  async send(
    { invitation, tenant, secret }: { invitation: InvitationRecord; tenant: Tenant; secret: string },
    { email, site }: { email: string; site: Pick<WebSite, 'url'> },
  ): Promise<MailOutcome | { readonly retryAfterSeconds: number }> {
    const { database, clock, throttle, mailer } = this.#parts;
    const { tenantId, invitationId } = invitation;
    const attempt = await throttle.admit(mailKeys(tenantId, email));
    if (!attempt.allowed) return attempt;
    const proof = challengeStore.mintSecret();
    const requester = personRequester('invitation', invitationId);
    const payload: MailedProof = { invitationId, email };
    const challenge = { secret: proof, kind: 'invitation', accountId: null, payload, requester } as const;
    const times = { nowMs: clock.now(), lifetimeMs: LIFETIME_MS };
    await database.transaction((tx) => challengeStore.create(tx, { ...challenge, ...times }));
    await challengeStore.removeExcess(database, requester);
    const expiresAtMs = Math.min(invitation.expiresAtMs, times.nowMs + LIFETIME_MS);
    const link = toInvitationLink(site.url, new Secret(secret), proof);
    const mail = toInvitationMail(
      { ...invitation, expiresAtMs },
      { to: email, tenantName: tenant.name, link },
    );
    return this.#slots.run(tenantId, () => mailer.send(mail));
  }
}
