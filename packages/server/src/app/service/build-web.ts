import { webAsset } from '../../platform/web/web-asset.ts';
import type { WebRoute } from '../../platform/web/web-route.ts';
import type { Accounts } from './prepare-accounts.ts';
import type { Members } from './prepare-members.ts';

/** Connects the pages of the features. Returns their routes. */
export function buildPages(parts: {
  accounts: Accounts;
  members: Members;
  oauth: { readonly pages: readonly WebRoute[] };
}): WebRoute[] {
  const { accounts, members, oauth } = parts;
  const style = new URL('../../platform/web/assets/style.css', import.meta.url);
  const styles = webAsset('style.css', { type: 'text/css; charset=utf-8', file: style });
  return [styles, ...accounts.pages, ...members.pages, ...oauth.pages];
}
