import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { createTpsUser } from '@tps/testing/tps';
import { expect, test } from 'vitest';
import { startMockProvider } from './testing/mock-provider.ts';
import { newVisitor, roleOf, signOn } from './testing/sign-on-scene.ts';

/** What a provider sends about a person with an address, beside the issuer, the audience and the times. */
interface Sent {
  readonly idToken: object;
  readonly userinfo?: object;
}

/** A set-up of docs/sign-on.md, with tokens as the provider documents them. */
interface Case {
  readonly provider: 'Entra ID' | 'Google' | 'Okta' | 'Keycloak' | 'Amazon Cognito';
  readonly what: string;
  readonly sent: (email: string) => Sent;
  /** Options that replace or extend those of the documented command. */
  readonly options?: readonly string[];
  /** The role of the person, or why the sign-in is refused. */
  readonly outcome: string;
}

const GROUP = '8b1c4b1c-8d1c-4b1c-8d1c-4b1c8d1c4b1c';

/** learn.microsoft.com/entra/identity-platform: id-token-claims-reference, optional-claims-reference, userinfo. */
const entra =
  (claims: object) =>
  (email: string): Sent => ({
    idToken: {
      ver: '2.0',
      oid: '00000000-0000-0000-66f3-3332eca7ea81',
      tid: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
      name: 'Mikah Ollenburg',
      preferred_username: email,
      auth_time: 1536361411,
      aio: 'Df2UVXL1ix',
      uti: 'fqiBqXLPj0eQa82S-IYFAA',
      email,
      ...claims,
    },
    userinfo: {
      name: 'Mikah Ollenburg',
      family_name: 'Ollenburg',
      given_name: 'Mikah',
      picture: 'https://graph.microsoft.com/v1.0/me/photo/$value',
      email,
    },
  });

const OVERAGE = {
  _claim_names: { groups: 'src1' },
  _claim_sources: { src1: { endpoint: 'https://graph.microsoft.com/v1.0/users/1/getMemberObjects' } },
};

/** developers.google.com/identity/openid-connect: the payload of an ID token. */
const google = (email: string): Sent => ({
  idToken: {
    azp: '1234987819200.apps.googleusercontent.com',
    hd: 'example.com',
    email,
    email_verified: 'true',
  },
});

/** developer.okta.com/docs/guides/customize-tokens-groups-claim, and the response of /oauth2/v1/userinfo. */
const okta =
  (groups: readonly string[]) =>
  (email: string): Sent => ({
    idToken: {
      ver: 1,
      jti: 'ID.ewMNfSvcpuqyS93OgVeCN3F2LseqROkyYjz7DNb9yhs',
      amr: ['pwd', 'mfa', 'kba'],
      idp: '00oixa26ycdNcX0VT0h7',
      auth_time: 1574201433,
      groups,
    },
    userinfo: {
      name: 'John Doe',
      preferred_username: email,
      locale: 'en-US',
      zoneinfo: 'America/Los_Angeles',
      updated_at: 1311280970,
      email,
      email_verified: true,
    },
  });

/** Keycloak, whose mappers add roles (realm_access, resource_access) or groups (with the full path). */
const keycloak =
  (claims: object) =>
  (email: string): Sent => ({
    idToken: {
      typ: 'ID',
      azp: 'tps',
      sid: '2b1d4f8e-9c3a-7b5e-2b1d-4f8e9c3a7b5e',
      acr: '1',
      auth_time: 1732190745,
      email_verified: true,
      name: 'Kim Lee',
      preferred_username: 'kim',
      given_name: 'Kim',
      family_name: 'Lee',
      email,
      ...claims,
    },
  });

/** docs.aws.amazon.com/cognito: using the ID token, the userInfo endpoint. */
const cognito =
  (claims: object) =>
  (email: string): Sent => ({
    idToken: {
      email_verified: true,
      'cognito:username': 'janedoe',
      given_name: 'Jane',
      origin_jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      event_id: '64f513be-32db-42b0-b78e-b02127b4f463',
      token_use: 'id',
      auth_time: 1676312777,
      jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      email,
      ...claims,
    },
    userinfo: {
      email_verified: 'true',
      'custom:mycustom1': 'CustomValue',
      phone_number_verified: 'true',
      phone_number: '+12065551212',
      email,
      username: 'bob',
    },
  });

const byGroups = (value: string) => ['--role-claim', 'groups', '--map', `${value}=analyst`];

const CASES: readonly Case[] = [
  {
    ...{ provider: 'Entra ID', what: 'a person with an app role', outcome: 'analyst' },
    sent: entra({ xms_edov: true, roles: ['tps-analyst'] }),
  },
  {
    ...{ provider: 'Entra ID', what: 'a person with two app roles', outcome: 'admin' },
    sent: entra({ xms_edov: '1', roles: ['tps-analyst', 'tps-admin'] }),
  },
  {
    ...{ provider: 'Entra ID', what: 'a person without an app role', outcome: 'role_claim_missing' },
    sent: entra({ xms_edov: true }),
  },
  {
    ...{ provider: 'Entra ID', what: 'an address without xms_edov', outcome: 'email_not_verified' },
    sent: entra({ roles: ['tps-analyst'] }),
  },
  {
    ...{ provider: 'Entra ID', what: 'an address without xms_edov that is trusted', outcome: 'analyst' },
    sent: entra({ roles: ['tps-analyst'] }),
    options: ['--trust-email'],
  },
  {
    ...{ provider: 'Entra ID', what: 'a group', outcome: 'analyst' },
    sent: entra({ xms_edov: true, groups: ['4c8d1c9e-0d1c-4b1c-8d1c-4b1c8d1c4b1c', GROUP] }),
    options: byGroups(GROUP),
  },
  {
    ...{ provider: 'Entra ID', what: 'more than 200 groups', outcome: 'role_claim_incomplete' },
    sent: entra({ xms_edov: true, ...OVERAGE }),
    options: byGroups(GROUP),
  },
  {
    ...{ provider: 'Entra ID', what: 'hasgroups', outcome: 'role_claim_incomplete' },
    sent: entra({ xms_edov: true, hasgroups: true }),
    options: byGroups(GROUP),
  },
  { provider: 'Google', what: 'a person', outcome: 'viewer', sent: google },
  {
    ...{ provider: 'Okta', what: 'a person in a group', outcome: 'analyst' },
    sent: okta(['Everyone', 'tps-analysts']),
  },
  { provider: 'Okta', what: 'a person in another group', outcome: 'not_a_member', sent: okta(['Everyone']) },
  {
    ...{ provider: 'Keycloak', what: 'a person with a realm role', outcome: 'analyst' },
    sent: keycloak({ realm_access: { roles: ['default-roles-example', 'offline_access', 'tps-analyst'] } }),
  },
  {
    ...{ provider: 'Keycloak', what: 'a person without realm roles', outcome: 'role_claim_missing' },
    sent: keycloak({}),
  },
  {
    ...{ provider: 'Keycloak', what: 'an address that is not verified', outcome: 'email_not_verified' },
    sent: keycloak({ realm_access: { roles: ['tps-analyst'] }, email_verified: false }),
    options: ['--trust-email'],
  },
  {
    ...{ provider: 'Keycloak', what: 'a person in a group', outcome: 'analyst' },
    sent: keycloak({ groups: ['/staff', '/tps-analysts'] }),
    options: byGroups('/tps-analysts'),
  },
  {
    ...{ provider: 'Keycloak', what: 'a person in no group', outcome: 'not_a_member' },
    sent: keycloak({ groups: [] }),
    options: byGroups('/tps-analysts'),
  },
  {
    ...{ provider: 'Keycloak', what: 'a person with a role of the client', outcome: 'analyst' },
    sent: keycloak({ resource_access: { tps: { roles: ['tps-analyst'] }, account: { roles: [] } } }),
    options: ['--role-claim', '/resource_access/tps/roles'],
  },
  {
    ...{ provider: 'Keycloak', what: 'a claim that is named by a URL', outcome: 'analyst' },
    sent: keycloak({ 'https://example.com/roles': ['tps-analyst'] }),
    options: ['--role-claim', 'https://example.com/roles'],
  },
  {
    ...{ provider: 'Amazon Cognito', what: 'a person in a group', outcome: 'analyst' },
    sent: cognito({ 'cognito:groups': ['test-group-a', 'tps-analysts'] }),
  },
  {
    ...{ provider: 'Amazon Cognito', what: 'a person in a group, verified by a text', outcome: 'analyst' },
    sent: cognito({ 'cognito:groups': ['tps-analysts'], email_verified: 'true' }),
  },
  {
    ...{ provider: 'Amazon Cognito', what: 'a person in no group', outcome: 'role_claim_missing' },
    sent: cognito({}),
  },
];

const page = readFileSync(join(import.meta.dirname, '../../../../../docs/sign-on.md'), 'utf8');
const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(startMockProvider, { close: (started) => started.close() });
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });
let people = 0;

/** The command below a heading of the page. */
function readCommand(heading: string) {
  const section = page.split(`### ${heading}\n`)[1]?.split('\n### ')[0] ?? '';
  const [, block = ''] = /```sh\ntps ([\s\S]*?)```/.exec(section) ?? [];
  const args = block.replaceAll('\\\n', '').trim().split(/\s+/);
  const optionOf = (option: string) => args[args.indexOf(option) + 1] ?? '';
  return { args, optionOf };
}

test('the page has a command for each provider whose tokens are tested, and no other one', () => {
  const headings = [...page.matchAll(/^### (.*)\n(?:(?!^#)[\s\S])*?^```sh/gm)].map(([, name]) => name);
  expect(new Set(headings)).toEqual(new Set(CASES.map((one) => one.provider)));
});

test.each(CASES)('$provider, set up as documented: $what has the outcome $outcome', async (one) => {
  const { args, optionOf } = readCommand(one.provider);
  const user = createTpsUser();
  writeFileSync(join(user.directory, 'secret.txt'), 'secret-of-the-test-provider');
  await user.run(['login', service.baseUrl], { input: tenant.credential });
  await user.runWell(...args, '--issuer', provider.issuer, ...(one.options ?? []));

  people += 1;
  const email = `person-${people}@${optionOf('--domains')}`;
  const { idToken, userinfo } = one.sent(email);
  const sub = `subject-${people}`;
  provider.say({
    idToken: { sub, aud: optionOf('--client-id'), ...idToken },
    ...(userinfo && { userinfo: { ...userinfo } }),
  });
  await signOn(newVisitor(service, provider.issuer), { tenantId: tenant.tenantId });

  const role = await roleOf(service, tenant.tenantId, email);
  expect(role ?? (await findReason())).toBe(one.outcome);
  expect(provider.scopes).toBe(
    ['openid email profile', ...(one.provider === 'Okta' ? ['groups'] : [])].join(' '),
  );
});

async function findReason(): Promise<unknown> {
  const { credential } = tenant;
  const { body } = await service.client.send('GET', '/audit?action=sign_on.refused', { credential });
  return (body as { data: AuditEntry[] }).data[0]?.fields.reason;
}
