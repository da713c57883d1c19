import { webAsset } from '../../platform/web/web-asset.ts';
import type { WebRoute } from '../../platform/web/web-route.ts';
import type { Accounts } from './prepare-accounts.ts';
import type { Members } from './prepare-members.ts';
import type { SignOnPrepared } from './prepare-sign-on.ts';

interface PageParts {
  readonly accounts: Accounts;
  readonly members: Members;
  readonly signOn: SignOnPrepared;
  readonly oauth: { readonly pages: readonly WebRoute[] };
}

/** Connects the pages of the features. Returns their routes. */
export function buildPages({ accounts, members, signOn, oauth }: PageParts): WebRoute[] {
  const style = new URL('../../platform/web/assets/style.css', import.meta.url);
  const styles = webAsset('style.css', { type: 'text/css; charset=utf-8', file: style });
  return [styles, ...[accounts, members, signOn, oauth].flatMap(({ pages }) => pages)];
}
