import { toUrl } from '../../normalize/to-url.ts';
import { parseLinkAddress, toWebUrl } from './link-address.ts';

/** Where a link leads, as far as it says so itself. */
export interface LinkTrail {
  /** The link and those inside it, the outermost first. */
  readonly links: readonly string[];
  /** Those of them by which it is judged. */
  readonly judged: readonly string[];
}

/** More links inside one are not read. */
const MAX_LINKS_OF_TRAIL = 4;
const MAX_DEPTH = 3;
/** Links inside links are escaped once for each link around them. */
const MAX_ESCAPES = 3;
const INNER = /https?:\/{1,2}[^\s"'<>\\]+/i;
/** `http` in Base64, as some redirects write it. */
const BASE64 = /aHR0c[\w+/-]{8,}/;
/** A link without any of these names no other. */
const MAY_LEAD_ON = /.http|aHR0c|%[2-7]|\.translate\.goog|ampproject|\/amp\/|urldefense/i;

/**
 * Follows a link without a request. A translated or cached page and the redirect of a mail filter or a network are
 * judged by the page behind them; any other link by itself and by each link in its path, query and fragment, since it
 * may lead there.
 */
export function followLink(link: string): LinkTrail {
  const trail = { links: [] as string[], judged: [] as string[] };
  if (MAY_LEAD_ON.test(link)) follow(link, 0, trail);
  return trail.judged.length > 0 ? trail : { links: [link], judged: [link] };
}

function follow(link: string, depth: number, { links, judged }: { links: string[]; judged: string[] }): void {
  if (links.length === MAX_LINKS_OF_TRAIL) return;
  links.push(link);
  const url = depth < MAX_DEPTH ? toWebUrl(link) : undefined;
  const shown = url && pageBehind(url);
  const inside = shown === undefined ? (url ? linksInside(url) : []) : [shown];
  if (inside.length === 0 || !url || (shown === undefined && !isRedirect(url))) judged.push(link);
  for (const each of inside) follow(each, depth + 1, { links, judged });
}

function linksInside(url: URL): string[] {
  const parts = [...url.searchParams.values(), `${url.pathname.slice(1)}${url.search}`, url.hash.slice(1)];
  const found = new Set<string>();
  for (const part of parts) {
    const inner = linkInside(part);
    // Escaped again, the path with the query ends in what a parameter holds.
    if (inner !== undefined && ![...found].some((known) => inner.startsWith(known))) found.add(inner);
  }
  return [...found];
}

function linkInside(written: string): string | undefined {
  let text = written;
  for (let time = 0; time < MAX_ESCAPES; time += 1) {
    const inner = INNER.exec(text)?.[0];
    if (inner !== undefined) return inner.replace(/^(https?:)\/+/i, '$1//');
    const encoded = BASE64.exec(text)?.[0];
    if (encoded !== undefined) return INNER.exec(fromBase64(encoded))?.[0];
    if (!text.includes('%')) return undefined;
    text = withoutEscapes(text);
  }
  return undefined;
}

function fromBase64(encoded: string): string {
  try {
    return atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

function withoutEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
}

/** Hosts that only lead elsewhere, with the paths of their redirects: their own names say nothing about the goal. */
const REDIRECTS: readonly [host: RegExp, path: RegExp][] = [
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, /^\/(?:url|imgres|aclk)\b/],
  [/^lm?\.(?:facebook|instagram)\.com$/, /^\/(?:l\.php)?/],
  [/\.safelinks\.protection\.outlook\.com$/, /^\//],
  [/^(?:www\.)?youtube\.com$/, /^\/redirect\b/],
  [/^out\.reddit\.com$/, /^\//],
  [/^slack-redir\.net$/, /^\/link\b/],
  [/^steamcommunity\.com$/, /^\/linkfilter\b/],
  [/^vk\.com$/, /^\/away\.php/],
  [/^(?:www\.)?bing\.com$/, /^\/ck\/a/],
  [/^duckduckgo\.com$/, /^\/l\//],
  [/^web\.archive\.org$/, /^\/web\//],
  [/^urldefense\.com$/, /^\/v3\//],
];

function isRedirect({ hostname, pathname }: URL): boolean {
  return REDIRECTS.some(([host, path]) => host.test(hostname) && path.test(pathname));
}

/** Returns the page that a known service shows under its own name; undefined for any other link. */
function pageBehind(url: URL): string | undefined {
  const page = translated(url) ?? accelerated(url) ?? defended(url);
  return page !== undefined && parseLinkAddress(page) ? page : undefined;
}

/** `news-example-com.translate.goog`: dots are hyphens, and hyphens are doubled. */
function translated({ hostname, pathname, search }: URL): string | undefined {
  const [, label] = /^([a-z0-9-]+)\.translate\.goog$/.exec(hostname) ?? [];
  if (label === undefined) return undefined;
  const host = label
    .split('--')
    .map((part) => part.replaceAll('-', '.'))
    .join('-');
  const query = search
    .slice(1)
    .split('&')
    .filter((each) => !each.startsWith('_x_tr_'))
    .join('&');
  return toUrl(`https://${host}${pathname}${query && `?${query}`}`)?.href;
}

/** Pages that Google keeps for fast phones: `/amp/s/` and `/c/s/` come before their address; `s` stands for `https`. */
function accelerated({ hostname, pathname, search }: URL): string | undefined {
  const path = /^(?:www\.)?google\.[a-z.]{2,6}$/.test(hostname)
    ? /^\/amp\/(?:s\/)?(.+)$/.exec(pathname)?.[1]
    : hostname.endsWith('.cdn.ampproject.org')
      ? /^\/[civ]\/(?:s\/)?(.+)$/.exec(pathname)?.[1]
      : undefined;
  return path === undefined ? undefined : toUrl(`https://${path}${search}`)?.href;
}

/** `urldefense.proofpoint.com/v2/url?u=https-3A__example.com_page`: `-` stands for `%` and `_` for `/`. */
function defended({ hostname, searchParams }: URL): string | undefined {
  if (hostname !== 'urldefense.proofpoint.com') return undefined;
  const written = searchParams.get('u');
  return written === null
    ? undefined
    : toUrl(withoutEscapes(written.replaceAll('-', '%').replaceAll('_', '/')))?.href;
}
