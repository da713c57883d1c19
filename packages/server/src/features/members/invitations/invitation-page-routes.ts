import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { notFound, ServiceError } from '../../../platform/service-error.ts';
import type { Html } from '../../../platform/web/html.ts';
import {
  toPage,
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import {
  type Account,
  type AccountService,
  type AccountSession,
  type AccountSessions,
  accountStore,
  EMAIL_REFUSAL,
  type EndedCredentials,
  isEmail,
  isFieldRefusal,
  knownAddressKey,
  type LoginThrottle,
  type PreparedAccount,
  type Refusal,
  toEmailKey,
  type VerificationService,
} from '../../accounts/index.ts';
import { lockTenant } from '../../authority/index.ts';
import { mayJoin } from '../may-join.ts';
import type { EndAccessOfMember } from '../member-access.ts';
import * as membershipStore from '../membership-store.ts';
import {
  acceptInvitation,
  addMember,
  claimInvitation,
  findOpenInvitation,
  type LinkSecrets,
  type OpenInvitation,
} from './accept-invitation.ts';
import type { InvitationRecord } from './invitation.ts';
import {
  type EnteredAccount,
  goneText,
  joinForm,
  mailedText,
  mailForm,
  memberText,
  newAccountForm,
  unmailedText,
  unverifiedNote,
  verifiedText,
  verifyForm,
  waitText,
  wrongAccountNote,
} from './invitation-forms.ts';
import { nameOfInviter } from './inviter-read-model.ts';
import type { MailedLinkService } from './mailed-link-service.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: AccountService;
  readonly sessions: AccountSessions;
  readonly verification: VerificationService;
  readonly throttle: LoginThrottle;
  readonly mailedLinks: MailedLinkService;
  readonly endAccess: EndAccessOfMember;
}

/** Another account has the address. */
class AddressTakenError extends Error {}

/** The page behind the link of an invitation. Opening it changes nothing: programs open the links of mails too. */
export function invitationPageRoutes(parts: Parts): WebRoute[] {
  const open = async (
    request: WebRequest,
    values: URLSearchParams,
    handle: (opened: OpenedPage) => Promise<WebReply>,
  ): Promise<WebReply> => {
    const link = { secret: values.get('token') ?? '', proof: values.get('proof') };
    const found = await findOpenInvitation(parts.database.read, link, parts.clock.now());
    return found ? handle({ found, link }) : refuse(parts, request);
  };
  return [
    webRoute('GET', '/invitation', (request) =>
      open(request, request.query, (opened) => show(parts, request, opened)),
    ),
    webRoute('POST', '/invitation', (request) =>
      open(request, request.form, (opened) =>
        request.form.get('action') === 'join'
          ? join(parts, request, opened)
          : createAndJoin(parts, request, opened),
      ),
    ),
  ];
}

interface OpenedPage {
  readonly found: OpenInvitation;
  readonly link: LinkSecrets;
}

/** One answer for links that are unknown, expired, used or revoked. */
async function refuse({ throttle }: Parts, { peer }: WebRequest): Promise<WebReply> {
  const attempt = await throttle.admit([{ budget: 'link', value: peer }]);
  if (attempt.allowed) return toPage('This invitation is not valid', goneText(), { status: 404 });
  return tooMany(attempt.retryAfterSeconds);
}

function tooMany(seconds: number): WebReply {
  const headers = { 'retry-after': String(seconds) };
  return toPage('Too many attempts', waitText(seconds), { status: 429, headers });
}

async function show(
  parts: Parts,
  request: WebRequest,
  { found, link }: OpenedPage,
  { status = 200, ...entered }: EnteredAccount & { status?: number } = {},
): Promise<WebReply> {
  const { read } = parts.database;
  const { account } = (await personOf(parts, request, found)) ?? {};
  const inviter = await nameOfInviter(read, found.invitation.createdBy);
  const offer = { ...found, link, inviter };
  const title = `Join the tenant ${found.tenant.name}`;
  const page = (body: Html) => toPage(title, body, { status });
  if (!account)
    return page(
      isLinkMailed(parts, found)
        ? mailForm(request, offer, entered)
        : newAccountForm(request, offer, entered),
    );
  if (!isAddressedTo(found, account)) return page(wrongAccountNote(request, offer, account));
  if (found.provesEmail && account.emailVerifiedAtMs === null) {
    return page(verifyForm(request, offer, { name: account.name, ...entered }));
  }
  const isAllowed = await mayJoin(read, account, found.invitation.tenantId);
  return page(isAllowed ? joinForm(request, offer, account) : unverifiedNote(request, offer, account));
}

async function join(parts: Parts, request: WebRequest, opened: OpenedPage): Promise<WebReply> {
  const { database, clock, sessions, endAccess } = parts;
  const { found } = opened;
  const person = await personOf(parts, request, found);
  if (!person || !isAddressedTo(found, person.account)) {
    return show(parts, request, opened, { status: 403 });
  }
  const { accountId } = person.account;
  const accepted = await orGone(() =>
    database.transaction(async (tx) => {
      // First, as every change of an account does: one that is deleted meanwhile does not join.
      const account = await accountStore.findForUpdate(tx, accountId);
      if (!account) throw notFound('account');
      // The session may have ended meanwhile, by the first proof of the address.
      if (!(await sessions.exists(tx, person.session))) return 'refused';
      if (!(await mayJoin(tx, account, found.invitation.tenantId))) return 'refused';
      return acceptInvitation(tx, found.invitation, {
        accountId,
        requestId: request.requestId,
        clock,
        endAccess,
      });
    }),
  );
  if (!accepted) return refuse(parts, request);
  if (accepted === 'refused') return show(parts, request, opened, { status: 403 });
  await accepted.awaitEnd();
  if (!accepted.hasJoined)
    return toPage(`You are a member of the tenant ${found.tenant.name}`, memberText(request));
  return toRedirect(request.site.consolePath);
}

async function createAndJoin(parts: Parts, request: WebRequest, opened: OpenedPage): Promise<WebReply> {
  const { accounts, throttle } = parts;
  const { invitation, provesEmail, email } = opened.found;
  const entered = {
    email: email ?? request.form.get('email') ?? '',
    name: request.form.get('name') ?? '',
  };
  const attempt = await throttle.admit([{ budget: 'code', value: invitation.invitationId }]);
  if (!attempt.allowed) return tooMany(attempt.retryAfterSeconds);
  if (isLinkMailed(parts, opened.found)) return mailLink(parts, request, { opened, email: entered.email });
  const prepared = await accounts.prepare(
    { ...entered, password: request.form.get('password') ?? '' },
    invitation,
  );
  if (isFieldRefusal(prepared)) {
    return show(parts, request, opened, { ...entered, refusal: prepared, status: 422 });
  }
  const created =
    (provesEmail ? await takeOver(parts, request, { invitation, prepared }) : undefined) ??
    (await createCounted(parts, request, { invitation, provesEmail, prepared }));
  if (typeof created === 'object' && 'retryAfterSeconds' in created)
    return tooMany(created.retryAfterSeconds);
  if (created === 'gone') return refuse(parts, request);
  if (created === 'taken') {
    const problem = 'This address cannot be used for a new account. If it is yours, sign in.';
    return show(parts, request, opened, { ...entered, refusal: { field: 'email', problem }, status: 422 });
  }
  const cookies = [created.cookie];
  if (!created.ended) return toRedirect(request.site.consolePath, { cookies });
  const title = `You are a member of the tenant ${opened.found.tenant.name}`;
  return toPage(title, verifiedText(request, created.ended), { cookies });
}

/** Whether the person must prove the address first. */
function isLinkMailed({ mailedLinks }: Parts, { invitation, provesEmail }: OpenInvitation): boolean {
  return !provesEmail && mailedLinks.areNeeded(invitation);
}

async function mailLink(
  parts: Parts,
  request: WebRequest,
  { opened, email }: { opened: OpenedPage; email: string },
): Promise<WebReply> {
  const { found, link } = opened;
  if (!isEmail(email)) {
    return show(parts, request, opened, { email, refusal: EMAIL_REFUSAL, status: 422 });
  }
  const { secret } = link;
  const outcome = await parts.mailedLinks.send(
    { ...found, secret },
    { email: email.trim(), site: request.site },
  );
  if (typeof outcome === 'object') return tooMany(outcome.retryAfterSeconds);
  return outcome === 'sent'
    ? toPage('Open the link in the mail', mailedText(email.trim()))
    : toPage('The mail was not sent', unmailedText(), { status: 503 });
}

interface NewAccount {
  readonly invitation: InvitationRecord;
  readonly prepared: PreparedAccount;
}

/** A browser that was signed in. `ended`: the account existed, and its address was verified just now. */
type JoinOutcome = { readonly cookie: string; readonly ended?: EndedCredentials } | 'taken' | 'gone';

/**
 * Creates the account unless the tenant was told too often that an address has one: without a proof of the address, a tenant
 * could find out who has an account, with any number of invitations.
 */
async function createCounted(
  parts: Parts,
  request: WebRequest,
  account: NewAccount & { provesEmail: boolean },
): Promise<JoinOutcome | Refusal> {
  const { database, throttle } = parts;
  if (account.provesEmail) return create(parts, request, account);
  const attempt = await throttle.admit([{ budget: 'known', value: account.invitation.tenantId }]);
  if (!attempt.allowed) return attempt;
  const created = await create(parts, request, account);
  const { tenantId } = account.invitation;
  const key = knownAddressKey(tenantId, account.prepared.email);
  await database.transaction((tx) =>
    created === 'taken' ? throttle.countOnce(tx, attempt, key) : throttle.succeed(tx, attempt),
  );
  return created;
}

/** Creates the account, makes it a member and signs the person in, all or nothing. */
async function create(
  { database, clock, accounts, sessions }: Parts,
  request: WebRequest,
  { invitation, prepared, provesEmail }: NewAccount & { provesEmail: boolean },
): Promise<JoinOutcome> {
  const { requestId } = request;
  const { tenantId } = invitation;
  try {
    const started = await orGone(() =>
      database.transaction(async (tx) => {
        const creation = { tenantId, isEmailVerified: provesEmail, requestId };
        const account = await accounts.create(tx, prepared, creation);
        if (!account) throw new AddressTakenError();
        const { accountId } = account;
        await lockTenant(tx, tenantId);
        const nowMs = clock.now();
        // Of many simultaneous requests only one continues.
        await claimInvitation(tx, invitation, nowMs);
        await addMember(tx, invitation, { accountId, from: null, requestId, nowMs });
        return sessions.start(tx, request, { accountId, methods: ['password'] });
      }),
    );
    return started ?? 'gone';
  } catch (error) {
    if (error instanceof AddressTakenError) return 'taken';
    throw error;
  }
}

/**
 * Hands an account with an unverified address over to the person who opened the mailed link, makes it a member and signs the
 * person in, all or nothing. Returns undefined if there is no such account.
 */
async function takeOver(
  { database, clock, accounts, verification, sessions, endAccess }: Parts,
  request: WebRequest,
  { invitation, prepared: { email, name, passwordHash } }: NewAccount,
): Promise<JoinOutcome | undefined> {
  const { requestId } = request;
  const known = await accountStore.findByEmail(database.read, email);
  if (!known || known.emailVerifiedAtMs !== null || passwordHash === null) return undefined;
  const { accountId } = known;
  const work = async (tx: Queries) => {
    const account = await accountStore.findForUpdate(tx, accountId);
    if (account?.disabledAtMs !== null) return 'taken';
    const tenantIds = (await membershipStore.listOf(tx, accountId)).map(({ tenantId }) => tenantId);
    for (const tenantId of [...tenantIds, invitation.tenantId].sort()) await lockTenant(tx, tenantId);
    const firstProof = await verification.verify(tx, account, { by: 'invitation', requestId });
    if (!firstProof) return 'taken';
    await accountStore.setName(tx, accountId, name);
    await accounts.setPassword(tx, accountId, { passwordHash, requestId });
    const member = { accountId, requestId, clock, endAccess };
    const { awaitEnd } = await acceptInvitation(tx, invitation, member);
    const started = await sessions.start(tx, request, { accountId, methods: ['password'] });
    return started && { cookie: started.cookie, firstProof, awaitEnd };
  };
  const done = await orGone(() => database.transaction(work, { repeatable: true }));
  if (done === undefined) return 'gone';
  if (done === 'taken') return done;
  await done.awaitEnd();
  await done.firstProof.afterCommit();
  return { cookie: done.cookie, ended: done.firstProof.ended };
}

/** Returns undefined if another request has used the invitation meanwhile, or it was revoked. */
async function orGone<R>(work: () => Promise<R>): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Finds the person who is signed in. */
async function personOf(
  { sessions, accounts }: Parts,
  request: WebRequest,
  { invitation }: OpenInvitation,
): Promise<{ account: Account; session: AccountSession } | undefined> {
  const session = await sessions.find(request);
  if (!session || !isOwn(session, invitation)) return undefined;
  const account = await accounts.find(session.accountId);
  return account && { account, session };
}

/** The provider of another tenant must not give access to this one. */
function isOwn({ tenantId }: AccountSession, invitation: OpenInvitation['invitation']): boolean {
  return tenantId === null || tenantId === invitation.tenantId;
}

function isAddressedTo({ email: invited }: OpenInvitation, { email }: Account): boolean {
  return invited === null || toEmailKey(invited) === toEmailKey(email);
}
