import { readFileSync } from 'node:fs';
import { type WebRoute, webRoute } from './web-route.ts';

/** Serves a file of this program: a style sheet, or a script of a page. Browsers keep it for an hour. */
export function webAsset(name: string, { type, file }: { type: string; file: URL }): WebRoute {
  let content: Buffer | undefined;
  return webRoute('GET', `/assets/${name}`, async () => {
    content ??= readFileSync(file);
    return { status: 200, body: { type, content }, headers: { 'cache-control': 'public, max-age=3600' } };
  });
}
