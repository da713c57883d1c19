import type { Role } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import {
  type Account,
  type AccountService,
  type AccountSession,
  type AccountSessions,
  accountStore,
  type EndedCredentials,
  type FirstProof,
  knownAddressKey,
  type LoginThrottle,
  toEmailKey,
  type VerificationService,
} from '../accounts/index.ts';
import { type AuditRecord, auditStore, SERVICE } from '../audit/index.ts';
import { lockTenant } from '../authority/index.ts';
import {
  type EndAccessOfMember,
  isLess,
  type LockedMember,
  lockMember,
  mayJoin,
  membershipStore,
} from '../members/index.ts';
import type { Person } from './claims/person.ts';
import { listMemberships } from './member-read-model.ts';
import * as identityStore from './sign-on-identity-store.ts';
import type { SignOnProvider } from './sign-on-provider.ts';

/** Why a person whom the provider has confirmed cannot sign in. */
export type AdmissionRefusal =
  /** Their address has an account that is not linked to the provider: they must sign in to it first. */
  | 'sign_in_first'
  /** Their account belongs to another tenant, and no one has proved that its address is theirs. */
  | 'verify_first'
  /** Neither the provider nor an invitation makes them a member. */
  | 'not_a_member'
  /** The provider does not send the claim with which they would have a role, or a higher one. */
  | 'role_claim_missing'
  /** Too many responses of today have shown the tenant that an address has an account elsewhere. */
  | 'too_many'
  | 'disabled';

export type Admission = ({ readonly account: Account } | { readonly refusal: AdmissionRefusal }) & {
  /** Call it after the commit, if access has ended. */
  readonly awaitEnd?: () => Promise<void>;
  /** What has ended because the provider was the first to prove the address of the account. */
  readonly ended?: EndedCredentials | undefined;
};

export interface AdmissionParts {
  readonly tenantId: TenantId;
  readonly provider: SignOnProvider;
  readonly person: Person;
  /** The session of the browser if it began with a password or passkey, and whether that was recently. */
  readonly own:
    | (Pick<AccountSession, 'accountId' | 'sessionHash'> & { readonly isRecent: boolean })
    | undefined;
  readonly sessions: Pick<AccountSessions, 'exists'>;
  readonly throttle: Pick<LoginThrottle, 'admitWithin' | 'succeed' | 'countOnce'>;
  readonly accounts: Pick<AccountService, 'create'>;
  readonly verification: VerificationService;
  readonly endAccess: EndAccessOfMember;
  readonly requestId: string;
  readonly nowMs: number;
}

/** Locks the account of a person, if there is one, and the tenant: before the provider, as what ends either of them. */
export async function lockForAdmission(
  tx: Queries,
  { tenantId, provider, person }: Pick<AdmissionParts, 'tenantId' | 'provider' | 'person'>,
): Promise<void> {
  const identity = { tenantId, issuer: provider.issuer, subject: person.subject };
  const linkedId = await identityStore.findAccountId(tx, identity);
  const accountId = linkedId ?? (await accountStore.findByEmail(tx, person.email))?.accountId;
  if (accountId !== undefined) await accountStore.findForUpdate(tx, accountId);
  await lockTenant(tx, tenantId);
}

/** Finds or creates the account of a person, and sets the role that the provider decides. Locks the account. */
export async function admit(tx: Queries, parts: AdmissionParts): Promise<Admission> {
  const { account, refusal } = await findAccount(tx, parts);
  if (refusal) return { refusal };
  if (account && account.disabledAtMs !== null) return { refusal: 'disabled' };
  const locked = account && (await lockMember(tx, parts.tenantId, account.accountId));
  return locked ? admitMember(tx, parts, { account, locked }) : admitNewMember(tx, parts, account);
}

async function admitMember(
  tx: Queries,
  parts: AdmissionParts,
  { account, locked }: { account: Account; locked: LockedMember },
): Promise<Admission> {
  const { kind, role } = parts.person.role;
  const isUnproved = kind === 'missing' && (role === null || isLess(role, locked.member.role));
  // The last admin keeps the role, as in `changeRole`.
  if (isUnproved && !locked.isLastAdmin) return { refusal: 'role_claim_missing' };
  const firstProof = await verifyAddress(tx, parts, account);
  const isOther = isUnproved || (kind === 'decided' && role !== locked.member.role);
  const { isRemoved, awaitEnd: awaitChange } = isOther ? await changeRole(tx, parts, locked) : {};
  const awaitEnd = async () => {
    await firstProof?.afterCommit();
    await awaitChange?.();
  };
  if (isRemoved) return { refusal: 'not_a_member', awaitEnd };
  await link(tx, parts, account);
  return { account, awaitEnd, ended: firstProof?.ended };
}

async function admitNewMember(
  tx: Queries,
  parts: AdmissionParts,
  found: Account | undefined,
): Promise<Admission> {
  const { role } = parts.person.role;
  const refusal = refuseNewMember(parts);
  if (refusal || role === null) return { refusal: refusal ?? 'not_a_member' };
  const firstProof = found && (await verifyAddress(tx, parts, found));
  if (found && !firstProof && !(await mayJoin(tx, found, parts.tenantId))) return { refusal: 'verify_first' };
  const account = found ?? (await createAccount(tx, parts));
  // Another request has created an account with the address in this moment.
  if (!account) return { refusal: 'sign_in_first' };
  await addMember(tx, parts, { accountId: account.accountId, role });
  await link(tx, parts, account);
  return { account, ended: firstProof?.ended, ...(firstProof && { awaitEnd: firstProof.afterCommit }) };
}

/** Returns why a person who is not a member cannot become one; undefined if they can. */
function refuseNewMember({
  provider,
  person,
}: AdmissionParts): 'not_a_member' | 'role_claim_missing' | undefined {
  const { kind, role } = person.role;
  if (provider.createMembers && role !== null) return undefined;
  return provider.createMembers && kind === 'missing' ? 'role_claim_missing' : 'not_a_member';
}

/** The provider itself ends the access, so its owner cannot use it to keep access. */
const LOSS = { isLoss: true, signOn: 'release' } as const;

/** The account that a person uses, if there is one. */
interface FoundAccount {
  readonly account?: Account;
  readonly refusal?: 'sign_in_first' | 'not_a_member' | 'role_claim_missing' | 'too_many';
  /** Whether the refusal shows the tenant that an address has an account elsewhere. */
  readonly isRevealing?: boolean;
}

/**
 * Finds the account that the person uses: the one linked to the identity. An existing account is linked only in a session that
 * its owner began with a password or passkey. The address in the claims is not enough: who chooses the provider could act as
 * another member, set things up that stay after both are gone, or open an account of another tenant.
 */
async function findAccount(tx: Queries, parts: AdmissionParts): Promise<FoundAccount> {
  const { tenantId, provider, person, throttle } = parts;
  const identity = { tenantId, issuer: provider.issuer, subject: person.subject };
  const linkedId = await identityStore.findAccountId(tx, identity);
  const linked = linkedId === undefined ? undefined : await accountStore.findForUpdate(tx, linkedId);
  if (linked) return { account: linked };
  // The provider claims any address: the tenant could find out which of them have an account elsewhere.
  const attempt = await throttle.admitWithin(tx, [{ budget: 'known', value: tenantId }]);
  if (!attempt.allowed) return { refusal: 'too_many' };
  const found = await findByAddress(tx, parts);
  if (found.isRevealing) await throttle.countOnce(tx, attempt, knownAddressKey(tenantId, person.email));
  else await throttle.succeed(tx, attempt);
  return found;
}

async function findByAddress(tx: Queries, parts: AdmissionParts): Promise<FoundAccount> {
  const { tenantId, person, own, sessions } = parts;
  const known = await accountStore.findByEmail(tx, person.email);
  const account = known && (await accountStore.findForUpdate(tx, known.accountId));
  if (!account) return {};
  const isSignedIn = account.accountId === own?.accountId && (await sessions.exists(tx, own));
  if (isSignedIn && own.isRecent) return { account };
  const memberships = await listMemberships(tx, account.accountId);
  if (memberships.some((one) => one.tenantId === tenantId)) return { refusal: 'sign_in_first' };
  // If nothing makes the person a member, the response is that for an address without an account.
  const refusal = refuseNewMember(parts);
  return refusal ? { refusal } : { refusal: 'sign_in_first', isRevealing: true };
}

/**
 * Verifies the address of an account, which ends the credentials of its creator: with the link of an open invitation, anyone
 * could have entered this address, and may be signed in to the account in this browser. The provider proves nothing about an
 * account that belongs to another tenant, nor about an address that it has not confirmed.
 */
async function verifyAddress(
  tx: Queries,
  { tenantId, person, verification, requestId }: AdmissionParts,
  account: Account,
): Promise<FirstProof | undefined> {
  if (account.emailVerifiedAtMs !== null) return undefined;
  const isSame = toEmailKey(account.email) === toEmailKey(person.email);
  const memberships = await listMemberships(tx, account.accountId);
  if (!isSame || memberships.some((one) => one.tenantId !== tenantId)) return undefined;
  const firstProof = await verification.verify(tx, account, { by: 'sign_on', requestId });
  if (firstProof) await accountStore.setName(tx, account.accountId, person.name);
  return firstProof;
}

/** Changes the role to the one that the provider decides, or ends the membership. The last admin keeps the role. */
async function changeRole(
  tx: Queries,
  { tenantId, provider, person, endAccess, requestId, nowMs }: AdmissionParts,
  { member, isLastAdmin }: LockedMember,
): Promise<{ isRemoved?: boolean; awaitEnd?: () => Promise<void> }> {
  const { accountId } = member;
  const { role } = person.role;
  const about = { tenantId, requestId, resource: { type: 'account', id: accountId } };
  if (isLastAdmin) {
    const detail = `The provider ${provider.issuer} no longer makes the last admin an admin; the role was kept`;
    await record(tx, { ...about, action: 'sign_on.role_kept', detail, fields: {} }, nowMs);
    return {};
  }
  if (role === null) await membershipStore.remove(tx, tenantId, accountId);
  else await membershipStore.setRole(tx, { tenantId, accountId }, role);
  const isLoss = role === null || isLess(role, member.role);
  const awaitEnd = await endAccess(tx, member, isLoss ? LOSS : { isLoss: false });
  const action = role === null ? 'member.remove' : 'member.update';
  const detail =
    role === null
      ? `Member removed: the provider ${provider.issuer} gives no role any more`
      : `Role of the member changed to ${role} by the provider ${provider.issuer}`;
  await record(tx, { ...about, action, detail, fields: { from: member.role, to: role } }, nowMs);
  return { isRemoved: role === null, awaitEnd };
}

async function addMember(
  tx: Queries,
  { tenantId, provider, requestId, nowMs }: AdmissionParts,
  { accountId, role }: { accountId: string; role: Role },
): Promise<void> {
  await membershipStore.create(tx, {
    tenantId,
    accountId,
    role,
    createdAtMs: nowMs,
    createdBy: SIGN_ON,
  });
  const resource = { type: 'account', id: accountId };
  const detail = `Member with the role ${role} added by the provider ${provider.issuer}`;
  await record(
    tx,
    { tenantId, requestId, resource, action: 'member.create', detail, fields: { role } },
    nowMs,
  );
}

/** The creator of a membership that no person has created. */
const SIGN_ON = 'sign_on';

async function createAccount(tx: Queries, parts: AdmissionParts): Promise<Account | undefined> {
  const { tenantId, person, accounts, requestId } = parts;
  const { email, name } = person;
  const creation = { tenantId, isEmailVerified: true, requestId };
  return accounts.create(tx, { email, name, passwordHash: null }, creation);
}

/** Remembers that the person uses the account. */
async function link(
  tx: Queries,
  { tenantId, provider, person, requestId, nowMs }: AdmissionParts,
  { accountId }: Account,
): Promise<void> {
  const identity = { tenantId, issuer: provider.issuer, subject: person.subject };
  const before = await identityStore.findAccountId(tx, identity);
  await identityStore.save(tx, { ...identity, accountId }, nowMs);
  if (before === accountId) return;
  const resource = { type: 'account', id: accountId };
  const detail = `Account linked to a person of the provider ${provider.issuer}`;
  await record(tx, { tenantId, requestId, resource, action: 'sign_on.link', detail, fields: {} }, nowMs);
}

function record(tx: Queries, entry: Omit<AuditRecord, 'actor' | 'outcome'>, nowMs: number): Promise<void> {
  return auditStore.append(tx, { ...entry, actor: SERVICE, outcome: 'success' }, nowMs);
}
