import type { Role } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { accountStore, createId, type Database, type PasswordHasher, type TenantId } from '@tps/server/store';
import { FormBrowser } from '../browser/form-browser.ts';
import { signIn } from '../browser/sign-in.ts';

/** A member of the populated tenant. All of them are made up. */
export interface PopulationPerson {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

const PEOPLE: readonly (readonly [name: string, role: Role, joinedDaysAgo: number])[] = [
  ['Dana Okafor', 'admin', 200],
  ['Mira Lindqvist', 'analyst', 180],
  ['Tomasz Zieliński', 'analyst', 95],
  ['Ines Ferreira', 'analyst', 20],
  ['Audit, external', 'viewer', 60],
  ['<b>Bob</b> "Robert\'); DROP TABLE members;--"', 'viewer', 12],
  ['Joris van den Berg', 'admin', 150],
];

/** Stores an account for each person. The first one is the admin that a demonstration signs in as. */
export async function addPeople(
  database: Database,
  options: {
    tenantId: TenantId;
    hasher: PasswordHasher;
    nowMs: number;
    passwordOf: (index: number) => string;
  },
): Promise<PopulationPerson[]> {
  const { tenantId, hasher, nowMs, passwordOf } = options;
  const people: PopulationPerson[] = [];
  for (const [index, [name, role, joinedDaysAgo]] of PEOPLE.entries()) {
    const createdAtMs = nowMs - joinedDaysAgo * 86_400_000;
    const accountId = createId(ID_PREFIXES.account, createdAtMs);
    const [first = ''] = name.toLowerCase().match(/[a-z]{3,}/) ?? [];
    const person = { accountId, name, role, email: `${first}@nordwind.example`, password: passwordOf(index) };
    const passwordHash = await hasher.hash(person.password, 'unknown');
    await database.transaction(async (tx) => {
      const times = { createdAtMs, passwordChangedAtMs: createdAtMs, disabledAtMs: null };
      const email = { email: person.email, emailVerifiedAtMs: createdAtMs };
      await accountStore.create(tx, { accountId, ...email, name, passwordHash, ...times });
      const membership = { tenant_id: tenantId, account_id: accountId, role, created_by: 'demonstration' };
      await tx.insertMany('memberships', [{ ...membership, created_at: createdAtMs }]);
    });
    people.push(person);
  }
  return people;
}

/** Signs a person in as the console does. Returns their token for the API. */
export async function tokenOf(
  baseUrl: string,
  { person, tenantId }: { person: PopulationPerson; tenantId: string },
): Promise<string> {
  const browser = new FormBrowser(baseUrl);
  await signIn(browser, person);
  const url = new URL('/console/session', baseUrl);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      cookie: browser.cookies.header(url),
      origin: url.origin,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-tps-console': '1',
    },
    body: JSON.stringify({ tenant_id: tenantId }),
  });
  if (!response.ok) throw new Error(`${person.email} cannot sign in: ${response.status}`);
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}
