import { expect, test } from 'vitest';
import { EMPTY_SIGN_ON, toDraft, toSettings } from './sign-on-draft.ts';

const SIGN_ON = {
  tenant_id: 'tnt_1',
  issuer: 'https://id.example.com',
  client_id: 'console',
  has_secret: true,
  allowed_domains: ['example.com'],
  trust_email: true,
  extra_scopes: ['groups', 'roles'],
  role_claim: 'groups',
  role_map: [{ value: 'soc', role: 'analyst' as const }],
  default_role: null,
  create_members: true,
  required: false,
  redirect_uri: 'https://tps.example.com/auth/sign-on/callback',
  sign_on_url: 'https://tps.example.com/auth/sign-on',
  created_at: '2026-11-22T00:00:00.000Z',
  updated_at: '2026-11-22T00:00:00.000Z',
};

test('settings that are read and saved do not change, and the secret is kept', () => {
  const { tenant_id, has_secret, redirect_uri, sign_on_url, created_at, updated_at, ...kept } = SIGN_ON;
  expect(toSettings(toDraft(SIGN_ON), '')).toEqual(kept);
});

test('domains may have commas, spaces and capitals, and rows without a value are left out', () => {
  const typed = {
    ...EMPTY_SIGN_ON,
    domains: ' Example.com, example.com\nexample.org ',
    roleClaim: 'groups',
    roleMap: [
      { value: ' ', role: 'viewer' as const },
      { value: 'admins', role: 'admin' as const },
    ],
  };
  expect(toSettings(typed, 'the secret')).toMatchObject({
    client_secret: 'the secret',
    allowed_domains: ['example.com', 'example.org'],
    role_map: [{ value: 'admins', role: 'admin' }],
  });
});
