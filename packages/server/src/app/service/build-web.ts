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
  const fileOf = (name: string) => new URL(`../../platform/web/assets/${name}`, import.meta.url);
  const assets = [
    webAsset('style.css', { type: 'text/css; charset=utf-8', file: fileOf('style.css') }),
    // Otherwise browsers ask for `/favicon.ico`, which is not below the pages.
    webAsset('icon.svg', { type: 'image/svg+xml', file: fileOf('icon.svg') }),
  ];
  return [...assets, ...[accounts, members, signOn, oauth].flatMap(({ pages }) => pages)];
}
