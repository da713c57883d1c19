/** The path prefix of the service. It fills these in when it serves the page. */
const PREFIX = metaContent('tps-prefix');
/** The path of the pages of accounts, such as `/auth`. */
const ACCOUNTS_PATH = metaContent('tps-accounts');

/** The nonce of the page's content security policy, for the style elements that Mantine creates. */
export const STYLE_NONCE = metaContent('tps-nonce');

/** Base address of the API: the console and the API are one origin. */
export const API_URL = `${location.origin}${PREFIX}`;

/** Path of the console, such as `/console`. */
export const CONSOLE_PATH = `${PREFIX}/console`;

const TENANT = /^tnt_[\w-]{1,64}$/;

/** Returns the tenant that the address names: `/console/<tenant>/…`. */
export function tenantOfAddress(): string | undefined {
  const [segment = ''] = location.pathname.slice(CONSOLE_PATH.length + 1).split('/');
  return TENANT.test(segment) ? segment : undefined;
}

/** Returns the path of the page, without the tenant: `/incidents`. */
export function pathBelowTenant(): string {
  const below = location.pathname.slice(CONSOLE_PATH.length);
  const tenant = tenantOfAddress();
  return tenant === undefined ? below : below.slice(tenant.length + 1);
}

/** Returns the path of the console of a tenant. Each tenant has its own, so that a link opens the tenant it was copied in. */
export function tenantPath(tenantId: string): string {
  return `${CONSOLE_PATH}/${tenantId}`;
}

/** Returns the address of one of the service's own pages, such as `login`, which leads back to where the person is. */
export function accountPage(page: 'login' | 'confirm' | 'account'): string {
  const returnTo = `${location.pathname}${location.search}`;
  return `${ACCOUNTS_PATH}/${page}?${new URLSearchParams({ return_to: returnTo })}`;
}

function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
