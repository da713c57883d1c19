import { parse } from 'tldts';
import { toUrl } from '../../normalize/to-url.ts';
import { parseLinkAddress, toWebUrl } from './link-address.ts';

/** Where a link leads, as far as it says so itself. */
export interface LinkTrail {
  /** The link and those inside it, the outermost first. Indicators are looked up for all of them. */
  readonly links: readonly string[];
  /** Those by which it is judged: all, except that a translated or cached page is judged by the page behind it. */
  readonly judged: readonly string[];
  /** Whether all links inside were followed. */
  readonly isWhole: boolean;
}

type OpenTrail = { links: string[]; judged: string[]; isWhole: boolean };

/** More links inside one are not read. */
const MAX_LINKS_OF_TRAIL = 5;
const MAX_DEPTH = 3;
/** Links inside links are escaped once for each link around them. */
const MAX_ESCAPES = 3;
/** Browsers read one slash, and backslashes, like two slashes. */
const INNER = /https?:[\\/]{1,4}[^\s"<>]+/i;
const WITHOUT_SCHEME = /^[\\/]{2}/;
const BEGINS_WITH_LINK = /^\?(?:https?(?::|%3a)|[\\/]{2})/i;
/** `http` in Base64, as some redirects write it. */
const BASE64 = /aHR0c[\w+/-]{8,}/;
/** Parameters that name where a link leads, which some services write without a scheme. */
const TARGET_NAME =
  /^(?:u|url|uri|link|target|to|dest|destination|redirect|redir|redirect_?ur[il]|next|goto|go|continue|return|return_?(?:to|url)|out|forward|location|page_?url)$/i;
/** Paths of services that send on to what `q` says; elsewhere it is what people search for. */
const SENDS_ON = /^\/(?:url|redirect|link|out|away|goto)\/?$/i;
/** A host, alone or before a path. */
const BARE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,5}[a-z]{2,24}(?::\d{1,5})?(?:[/?#][^\s"<>]*)?$/i;
/** Names of files have the same form, under suffixes that are top-level domains too. */
const FILE = /^[\w-]+\.(?:zip|mov|py|sh|rs|pl|md|ps|so|cc|app|cab|java|js|ts|me|do|net)$/i;
/** A link without any of these names no other. */
const MAY_LEAD_ON =
  /.http|[=?](?:[\\/]|%2f|%5c){2}|aHR0c|%[02-7]|\.translate\.goog|ampproject|\/amp\/|urldefense|[?=](?:[\w-]{1,63}(?:\.|%2e)){1,5}[a-z]|\/[\w.-]{3,200}%2f/i;

/**
 * Follows a link without a request: to the links in its path, query and fragment, since it may lead there, and to the
 * page behind a translated or cached one.
 */
export function followLink(link: string): LinkTrail {
  const trail: OpenTrail = { links: [], judged: [], isWhole: true };
  if (MAY_LEAD_ON.test(link)) follow(link, 0, trail);
  return trail.judged.length > 0 ? trail : unfollowed(link);
}

/** The trail of a link that is not followed. */
export function unfollowed(link: string): LinkTrail {
  return { links: [link], judged: [link], isWhole: true };
}

function follow(link: string, depth: number, trail: OpenTrail): void {
  if (trail.links.length === MAX_LINKS_OF_TRAIL || depth > MAX_DEPTH) {
    trail.isWhole = false;
    return;
  }
  trail.links.push(link);
  const url = toWebUrl(link);
  const shown = url && pageBehind(url);
  if (shown === undefined) trail.judged.push(link);
  for (const each of shown === undefined ? linksInside(url) : [shown]) follow(each, depth + 1, trail);
}

function linksInside(url: URL | undefined): Set<string> {
  const found = new Set<string>();
  if (url === undefined) return found;
  const { pathname, search, hash } = url;
  const parts = [...url.searchParams.values(), hash.slice(1)];
  // `?https://…` without a name: the rest of the query belongs to the link.
  if (BEGINS_WITH_LINK.test(search)) parts.unshift(search.slice(1));
  for (const target of bareTargets(url)) found.add(target);
  // The query then belongs to the link in the path.
  if (linkInside(pathname) !== undefined) parts.unshift(pathname + search);
  for (const part of parts) {
    const inner = linkInside(part);
    if (inner !== undefined) found.add(inner);
    if (found.size === MAX_LINKS_OF_TRAIL) break;
  }
  return found;
}

/** Returns targets without a scheme: in a parameter for them, as the whole query, or as an escaped part of the path. */
function bareTargets({ pathname, search, searchParams }: URL): string[] {
  const named = [...searchParams].filter(
    ([name]) => TARGET_NAME.test(name) || (/^q(?:uery)?$/i.test(name) && SENDS_ON.test(pathname)),
  );
  const whole = search.includes('=') ? [] : [withoutEscapes(search.slice(1))];
  const escaped = pathname.split('/').flatMap((part) => (/%2f/i.test(part) ? [withoutEscapes(part)] : []));
  return [...named.map(([, value]) => withoutEscapes(value)), ...whole, ...escaped].flatMap((target) =>
    isBareTarget(target) ? [`https://${target}`] : [],
  );
}

function isBareTarget(target: string): boolean {
  if (!BARE.test(target) || FILE.test(target)) return false;
  const host = target.split(/[:/?#]/, 1)[0] ?? '';
  return parse(host, { extractHostname: false }).isIcann === true;
}

function linkInside(written: string): string | undefined {
  let text = written.replace(/[\t\n\r]/g, '');
  for (let time = 0; time < MAX_ESCAPES; time += 1) {
    const inner = linkIn(WITHOUT_SCHEME.test(text) ? `https:${text}` : text);
    if (inner !== undefined) return inner;
    const encoded = BASE64.exec(text)?.[0];
    if (encoded !== undefined) return linkIn(fromBase64(encoded));
    const plain = withoutEscapes(text);
    if (plain === text) return undefined;
    text = plain;
  }
  return undefined;
}

function linkIn(text: string): string | undefined {
  return INNER.exec(text)?.[0].replace(/^(https?:)[\\/]+/i, '$1//');
}

function fromBase64(encoded: string): string {
  try {
    const whole = encoded.length % 4 === 1 ? encoded.slice(0, -1) : encoded;
    return atob(whole.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** Not by `decodeURIComponent`: it throws at the first byte that is not UTF-8, which is slow and loses the rest. */
function withoutEscapes(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Returns the page that a known service shows under its own name; undefined for any other link. */
function pageBehind(url: URL): string | undefined {
  const hostname = url.hostname.replace(/\.$/, '');
  const page = translated(hostname, url) ?? accelerated(hostname, url) ?? defended(hostname, url);
  return page !== undefined && parseLinkAddress(page) ? page : undefined;
}

/** `news-example-com.translate.goog`: dots are hyphens, and hyphens are doubled. Other forms carry parameters for it. */
function translated(hostname: string, { pathname, search, searchParams }: URL): string | undefined {
  const [, label] = /^([a-z0-9-]+)\.translate\.goog$/.exec(hostname) ?? [];
  if (label === undefined || searchParams.has('_x_tr_hp') || searchParams.has('_x_tr_enc')) return undefined;
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
function accelerated(hostname: string, { pathname, search }: URL): string | undefined {
  const path = /^(?:www\.)?google\.com$/.test(hostname)
    ? /^\/amp\/(?:s\/)?(.+)$/.exec(pathname)?.[1]
    : hostname.endsWith('.cdn.ampproject.org')
      ? /^\/[civ]\/(?:s\/)?(.+)$/.exec(pathname)?.[1]
      : undefined;
  return path === undefined ? undefined : toUrl(`https://${path}${search}`)?.href;
}

/**
 * `urldefense.com/v3/__https://example.com/page__;` and `urldefense.proofpoint.com/v2/url?u=https-3A__example.com_page`,
 * where `-` stands for `%` and `_` for `/`.
 */
function defended(hostname: string, { pathname, searchParams }: URL): string | undefined {
  if (hostname === 'urldefense.com') return linkIn(/^\/v3\/__(.+?)__;/.exec(pathname)?.[1] ?? '');
  const written = searchParams.get('u');
  if (hostname !== 'urldefense.proofpoint.com' || !pathname.startsWith('/v2/') || written === null)
    return undefined;
  return linkIn(withoutEscapes(written.replaceAll('-', '%').replaceAll('_', '/')));
}
