import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { notFound, ServiceError } from '../../../platform/service-error.ts';
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
  isFieldRefusal,
  type LoginThrottle,
  type PreparedAccount,
  toEmailKey,
} from '../../accounts/index.ts';
import type { EndAccessOfMember } from '../member-access.ts';
import {
  acceptInvitation,
  addMember,
  claimInvitation,
  findOpenInvitation,
  type OpenInvitation,
} from './accept-invitation.ts';
import {
  type EnteredAccount,
  goneText,
  joinForm,
  memberText,
  newAccountForm,
  waitText,
  wrongAccountNote,
} from './invitation-forms.ts';
import { nameOfInviter } from './inviter-read-model.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: AccountService;
  readonly sessions: AccountSessions;
  readonly throttle: LoginThrottle;
  readonly endAccess: EndAccessOfMember;
}

/** Another account has the address. */
class AddressTakenError extends Error {}

/** The page behind the link of an invitation. Opening it changes nothing: programs open the links of mails too. */
export function invitationPageRoutes(parts: Parts): WebRoute[] {
  const open = async (
    request: WebRequest,
    secret: string | null,
    handle: (found: OpenInvitation, secret: string) => Promise<WebReply>,
  ): Promise<WebReply> => {
    const found = await findOpenInvitation(parts.database.read, secret ?? '', parts.clock.now());
    return found && secret !== null ? handle(found, secret) : refuse(parts, request);
  };
  return [
    webRoute('GET', '/invitation', (request) =>
      open(request, request.query.get('token'), (found, secret) => show(parts, request, { found, secret })),
    ),
    webRoute('POST', '/invitation', (request) =>
      open(request, request.form.get('token'), (found, secret) =>
        request.form.get('action') === 'join'
          ? join(parts, request, { found, secret })
          : createAndJoin(parts, request, { found, secret }),
      ),
    ),
  ];
}

interface OpenedPage {
  readonly found: OpenInvitation;
  readonly secret: string;
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
  { found, secret }: OpenedPage,
  { status = 200, ...entered }: EnteredAccount & { status?: number } = {},
): Promise<WebReply> {
  const account = await accountOf(parts, request, found);
  const inviter = await nameOfInviter(parts.database.read, found.invitation.createdBy);
  const offer = { ...found, secret, inviter };
  const body = account
    ? isAddressedTo(found, account)
      ? joinForm(request, offer, account)
      : wrongAccountNote(request, offer, account)
    : newAccountForm(request, offer, entered);
  return toPage(`Join the tenant ${found.tenant.name}`, body, { status });
}

async function join(parts: Parts, request: WebRequest, opened: OpenedPage): Promise<WebReply> {
  const { database, clock, endAccess } = parts;
  const { found } = opened;
  const account = await accountOf(parts, request, found);
  if (!account || !isAddressedTo(found, account)) return show(parts, request, opened, { status: 403 });
  const { accountId } = account;
  const accepted = await orGone(() =>
    database.transaction(async (tx) => {
      // First, as every change of an account does: one that is deleted meanwhile does not join.
      if (!(await accountStore.findForUpdate(tx, accountId))) throw notFound('account');
      return acceptInvitation(tx, found.invitation, {
        accountId,
        requestId: request.requestId,
        nowMs: clock.now(),
        endAccess,
      });
    }),
  );
  if (!accepted) return refuse(parts, request);
  await accepted.awaitEnd();
  if (!accepted.hasJoined)
    return toPage(`You are a member of the tenant ${found.tenant.name}`, memberText(request));
  return toRedirect(request.site.consolePath);
}

async function createAndJoin(parts: Parts, request: WebRequest, opened: OpenedPage): Promise<WebReply> {
  const { accounts, throttle } = parts;
  const { invitation } = opened.found;
  const entered = {
    email: invitation.email ?? request.form.get('email') ?? '',
    name: request.form.get('name') ?? '',
  };
  // Otherwise one open invitation could find out which addresses have an account.
  const attempt = await throttle.admit([{ budget: 'code', value: invitation.invitationId }]);
  if (!attempt.allowed) return tooMany(attempt.retryAfterSeconds);
  const prepared = await accounts.prepare(
    { ...entered, password: request.form.get('password') ?? '' },
    invitation,
  );
  if (isFieldRefusal(prepared)) {
    return show(parts, request, opened, { ...entered, refusal: prepared, status: 422 });
  }
  const created = await create(parts, request, { invitation, prepared });
  if (created === 'gone') return refuse(parts, request);
  if (created === 'taken') {
    const problem = 'This address cannot be used for a new account. If it is yours, sign in.';
    return show(parts, request, opened, { ...entered, refusal: { field: 'email', problem }, status: 422 });
  }
  return toRedirect(request.site.consolePath, { cookies: [created.cookie] });
}

/** Creates the account, makes it a member and signs the person in, all or nothing. */
async function create(
  { database, clock, accounts, sessions }: Parts,
  request: WebRequest,
  { invitation, prepared }: { invitation: OpenInvitation['invitation']; prepared: PreparedAccount },
): Promise<{ cookie: string } | 'taken' | 'gone'> {
  const { requestId } = request;
  try {
    const started = await orGone(() =>
      database.transaction(async (tx) => {
        const nowMs = clock.now();
        // First, so that of many simultaneous requests only one continues.
        await claimInvitation(tx, invitation, nowMs);
        const account = await accounts.create(tx, prepared, { tenantId: invitation.tenantId, requestId });
        if (!account) throw new AddressTakenError();
        const { accountId } = account;
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

/** Returns undefined if another request has used the invitation meanwhile, or it was revoked. */
async function orGone<R>(work: () => Promise<R>): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function accountOf(
  { sessions, accounts }: Parts,
  request: WebRequest,
  { invitation }: OpenInvitation,
): Promise<Account | undefined> {
  const session = await sessions.find(request);
  return session && isOwn(session, invitation) ? accounts.find(session.accountId) : undefined;
}

/** The provider of another tenant must not give access to this one. */
function isOwn({ tenantId }: AccountSession, invitation: OpenInvitation['invitation']): boolean {
  return tenantId === null || tenantId === invitation.tenantId;
}

function isAddressedTo({ invitation }: OpenInvitation, { email }: Account): boolean {
  return invitation.email === null || toEmailKey(invitation.email) === toEmailKey(email);
}
