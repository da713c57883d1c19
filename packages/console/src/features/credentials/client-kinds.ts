import type { OAuthClient } from '@tps/client';

type GrantType = OAuthClient['grant_types'][number];

/** What a program is, in words of people who do not know OAuth2, and the settings that follow from it. */
interface ClientKind {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly grantTypes: readonly GrantType[];
  /** Whether it can keep a secret. */
  readonly hasSecret: boolean;
  /** Whether a browser returns to it. */
  readonly hasRedirects: boolean;
}

export const CLIENT_KINDS: readonly ClientKind[] = [
  {
    value: 'service',
    label: 'A program that acts for itself',
    description: 'A connector or a job on a server. It exchanges its secret for access tokens.',
    grantTypes: ['client_credentials'],
    hasSecret: true,
    hasRedirects: false,
  },
  {
    value: 'web',
    label: 'A web application that acts for people',
    description: 'People sign in here and allow it. It runs on a server, so it can keep a secret.',
    grantTypes: ['authorization_code', 'refresh_token'],
    hasSecret: true,
    hasRedirects: true,
  },
  {
    value: 'app',
    label: 'A program on a machine or phone of a person',
    description:
      'People sign in here and allow it. It cannot keep a secret, and proves each request with PKCE.',
    grantTypes: ['authorization_code', 'refresh_token'],
    hasSecret: false,
    hasRedirects: true,
  },
  {
    value: 'device',
    label: 'A program without a browser',
    description: 'It shows a code, and a person confirms it in a browser on another device.',
    grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    hasSecret: false,
    hasRedirects: false,
  },
];

const GRANT_WORDS: Readonly<Record<GrantType, string>> = {
  authorization_code: 'Authorization code',
  refresh_token: 'Refresh token',
  client_credentials: 'Client credentials',
  'urn:ietf:params:oauth:grant-type:device_code': 'Device code',
};

export function toGrantWords(grantTypes: readonly GrantType[]): string {
  return grantTypes.map((grantType) => GRANT_WORDS[grantType]).join(', ');
}

/** How a client proves its identity, in words. */
export function toMethodWords({
  token_endpoint_auth_method: method,
}: Pick<OAuthClient, 'token_endpoint_auth_method'>): string {
  if (method === 'none') return 'None: it cannot keep a secret';
  return method === 'private_key_jwt' ? 'Signed assertion' : 'Secret';
}

/** Reads a list that a person types, one item in each line. */
export function toLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
