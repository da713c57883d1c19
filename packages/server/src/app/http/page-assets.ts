import { webAsset } from '../../platform/web/web-asset.ts';
import type { WebRoute } from '../../platform/web/web-route.ts';

/** Returns what all pages load. */
export function pageAssets(): WebRoute[] {
  const fileOf = (name: string) => new URL(`../../platform/web/assets/${name}`, import.meta.url);
  return [
    webAsset('style.css', { type: 'text/css; charset=utf-8', file: fileOf('style.css') }),
    // Otherwise browsers ask for `/favicon.ico`, which is not below the pages.
    webAsset('icon.svg', { type: 'image/svg+xml', file: fileOf('icon.svg') }),
  ];
}
