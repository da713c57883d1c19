import { randomBytes } from 'node:crypto';
import { html } from '../../platform/web/html.ts';
import { layout } from '../../platform/web/layout.ts';
import { pagePolicy } from '../../platform/web/page-policy.ts';
import type { WebSite } from '../../platform/web/web-route.ts';

/** A page, and the policy that belongs to it. */
export interface ConsolePage {
  readonly status: number;
  readonly policy: string;
  readonly content: string;
}

/** What the build leaves in `index.html` for the service to fill in. */
const PREFIX_PLACEHOLDER = '__TPS_PREFIX__';
const ACCOUNTS_PLACEHOLDER = '__TPS_ACCOUNTS__';
const NONCE_PLACEHOLDER = '__TPS_NONCE__';

/** Completes the page of the console: its addresses, and a new nonce for its style elements. */
export function toConsolePage(site: Pick<WebSite, 'consolePath' | 'path'>, template: string): ConsolePage {
  const { consolePath } = site;
  const nonce = randomBytes(16).toString('base64url');
  const content = template
    // The build writes relative addresses, which would depend on the page that the person has opened.
    .replaceAll(/(src|href)="\.\//g, `$1="${consolePath}/`)
    .replaceAll(PREFIX_PLACEHOLDER, consolePath.slice(0, consolePath.lastIndexOf('/')))
    .replaceAll(ACCOUNTS_PLACEHOLDER, site.path('/').replace(/\/$/, ''))
    .replaceAll(NONCE_PLACEHOLDER, nonce);
  return { status: 200, content, policy: consolePolicy(nonce) };
}

/** Says how to build the console. Only a checkout of the sources can lack it. */
export function toMissingPage(site: WebSite): ConsolePage {
  const body = html`<p>The console is not built. Run this command in the folder of the service, and start the service again:</p>
<pre>npm run build:console</pre>
<p><a href="${site.path('/account')}">Your account</a></p>`;
  return {
    status: 503,
    content: layout(site, { title: 'The console is missing', body }),
    policy: pagePolicy(),
  };
}

/**
 * Returns the `Content-Security-Policy` of the console: scripts of our files only, and style elements with the nonce. Styles
 * that scripts set on an element are not restricted by it.
 */
function consolePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join(';');
}
