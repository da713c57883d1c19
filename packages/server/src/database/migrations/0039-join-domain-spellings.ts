import { domainToUnicode } from 'node:url';
import type { Kysely } from 'kysely';

interface Schema {
  accounts: { account_id: string; email_key: string };
  invitations: {
    tenant_id: string;
    invitation_id: string;
    email: string | null;
    accepted_at: number | null;
    revoked_at: number | null;
  };
}

/**
 * Safe beside an older version, except that its nodes do not find the few accounts that change here until they are replaced:
 * those whose domain was spelled `xn--…` or with a dot at the end. An account that such a node creates meanwhile in one of
 * these spellings is not found by its address afterwards. Makes accounts and open invitations findable in any spelling of their
 * domain. If two accounts have one address in two spellings, the one in Unicode without the dot keeps it. Sign-in and
 * reset then do not find the other account.
 */
export async function joinDomainSpellings(db: Kysely<unknown>): Promise<void> {
  const schema = db as Kysely<Schema>;
  const accounts = await schema.selectFrom('accounts').select(['account_id', 'email_key']).execute();
  const keys = new Set(accounts.map(({ email_key }) => email_key));
  for (const { account_id, email_key } of accounts) {
    const key = toKey(email_key);
    if (keys.has(key)) continue;
    keys.add(key);
    await schema
      .updateTable('accounts')
      .set({ email_key: key })
      .where('account_id', '=', account_id)
      .execute();
  }
  await spellInvitations(schema);
}

async function spellInvitations(schema: Kysely<Schema>): Promise<void> {
  const rows = await schema
    .selectFrom('invitations')
    .select(['tenant_id', 'invitation_id', 'email'])
    .where('email', 'is not', null)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  for (const { tenant_id, invitation_id, email } of rows) {
    const key = toKey(email ?? '');
    const lower = (email ?? '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (lower === key) continue;
    await schema
      .updateTable('invitations')
      .set({ email: key })
      .where('tenant_id', '=', tenant_id)
      .where('invitation_id', '=', invitation_id)
      .execute();
  }
}

function toKey(email: string): string {
  const text = toPlainText(email);
  const at = text.lastIndexOf('@') + 1;
  return at === 0 ? text : text.slice(0, at) + toDomainKey(text.slice(at));
}

function toDomainKey(domain: string): string {
  const host = domain.replace(/\.+$/, '');
  if (!/^[a-z0-9.-]*$/.test(host) || !host.includes('xn--')) return host;
  const decoded = domainToUnicode(host);
  return toPlainText(decoded) === decoded ? decoded : host;
}

function toPlainText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}
