import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = new URL('../../', import.meta.url).pathname;

/** What sends an address, and the files that may do so: each adds the prefix of the proxy, or is given a path that has it. */
const RULES: readonly { readonly pattern: RegExp; readonly allowed: readonly string[] }[] = [
  { pattern: /\.redirect\(/g, allowed: ['app/http/open-routes.ts'] },
  { pattern: /header\(\s*'location'/gi, allowed: ['app/http/mount-route.ts'] },
  // An object of headers, in contrast to the `location` of a reply, which the edge completes.
  {
    pattern: /(?:headers: \{[^}]*|writeHead\([^)]*|\? \{ )\blocation\b/gi,
    allowed: [
      'app/http/docs-page.ts',
      'platform/web/web-route.ts',
      'features/oauth/provider/request-form.ts',
    ],
  },
  { pattern: /toRedirect\(\s*['"`]\//g, allowed: [] },
  { pattern: /(?:href|src|action)="\//g, allowed: [] },
];

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/testing/'),
);

test.each(RULES)('only its listed files have $pattern', ({ pattern, allowed }) => {
  const having = files.filter((path) => readFileSync(join(SOURCE, path), 'utf8').search(pattern) >= 0);
  expect(having.sort()).toEqual(allowed.toSorted());
});
