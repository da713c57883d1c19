import type { KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../../../platform/web/html.ts';
import { MAX_RETURN_PATH_LENGTH } from '../../../platform/web/return-path.ts';
import { toPage, type WebRoute, type WebSite, webRoute } from '../../../platform/web/web-route.ts';

const PAGE = '/continue';
/** A person who has just signed in is back well within this time. */
const MIN_AGE_S = 60;

/**
 * Returns the address of the sign-in page, which leads back to an authorization request that is not stored. Returns undefined
 * if the request is too long for that.
 */
export function toSignIn(site: WebSite, { req }: KoaContextWithOIDC): string | undefined {
  const { originalUrl = '' } = req as { originalUrl?: string };
  const asked = new URL(originalUrl, site.url).searchParams;
  const back = `${site.path(PAGE)}?${asked}`;
  if (back.length > MAX_RETURN_PATH_LENGTH) return undefined;
  const query = new URLSearchParams({ return_to: back });
  const hint = asked.get('login_hint');
  if (hint !== null) query.set('login_hint', hint);
  return `${site.path('/login')}?${query}`;
}

/**
 * Repeats an authorization request after the sign-in. Not a redirect: the policy of the sign-in form would have to allow the
 * address of the client, which that page does not know.
 */
export function repeatRoute(): WebRoute {
  return webRoute('GET', PAGE, async ({ site, query }) => {
    const next = `${site.path('/authorize')}?${withProof(query)}`;
    return toPage('You are signed in', html`<p><a href="${next}">Continue</a></p>`, {
      headers: { refresh: `0; url=${next}` },
    });
  });
}

/** Removes what asks for another sign-in: the person has just signed in, as `prompt=login` and a small `max_age` require. */
function withProof(asked: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(asked);
  const prompts = (query.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== 'login');
  if (prompts.join('') === '') query.delete('prompt');
  else query.set('prompt', prompts.join(' '));
  if (Number(query.get('max_age') ?? MIN_AGE_S) < MIN_AGE_S) query.set('max_age', String(MIN_AGE_S));
  return query;
}
