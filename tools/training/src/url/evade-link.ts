import { CYRILLIC_LOOK_ALIKES } from '../cyrillic-look-alikes.ts';
import { fractionOf } from '../rows/split.ts';
import type { UrlRow } from './url-row.ts';

export interface LinkEvasion {
  /** Part of the names of figures. */
  readonly name: string;
  readonly title: string;
  /** Returns a link that leads to the same page, or to one of the same owner. */
  readonly dressUp: (row: UrlRow) => string;
}

/** The links as they are, for comparison. */
export const UNCHANGED: LinkEvasion = {
  name: 'unchanged',
  title: 'unchanged',
  dressUp: ({ content }) => content,
};

/** Ways in which senders of phishing links dress them up. */
export const EVASIONS: readonly LinkEvasion[] = [
  { name: 'cyrillic', title: 'Cyrillic letters in the domain', dressUp: imitateLetters },
  { name: 'query_behind', title: 'a harmless query behind', dressUp: addQuery },
  { name: 'path_before', title: 'a harmless path before its own', dressUp: addPath },
  { name: 'redirect', title: 'behind a redirect of Google', dressUp: redirect },
  { name: 'translation', title: 'translated by Google', dressUp: translate },
];

const QUERIES = [
  'utm_source=newsletter&utm_medium=email&utm_campaign=spring',
  'lang=en&ref=home',
  'utm_source=google&utm_content=footer&page=2',
];
const PATHS = [
  'blog/2024/05/how-to-grow-tomatoes',
  'news/2023/11/city-council-meeting',
  'docs/guides/getting-started',
];
const SEED = 41;

function imitateLetters({ content, address: { name } }: UrlRow): string {
  return content.replace(
    name,
    name.replace(/[aceijopsxy]/g, (letter) => CYRILLIC_LOOK_ALIKES[letter] ?? letter),
  );
}

function addQuery({ content }: UrlRow): string {
  return `${content}${content.includes('?') ? '&' : '?'}${oneOf(QUERIES, content)}`;
}

function addPath({ content }: UrlRow): string {
  const url = toUrl(content);
  url.pathname = `/${oneOf(PATHS, content)}${url.pathname}`;
  return url.href;
}

function redirect({ content }: UrlRow): string {
  return `https://www.google.com/url?q=${encodeURIComponent(toUrl(content).href)}&sa=D&source=editors`;
}

/** Returns the address at which Google shows a page in another language. */
function translate({ content }: Pick<UrlRow, 'content'>): string {
  const { hostname, pathname, search } = toUrl(content);
  const label = hostname.replaceAll('-', '--').replaceAll('.', '-');
  return `https://${label}.translate.goog${pathname}${search}${search === '' ? '?' : '&'}_x_tr_sl=auto&_x_tr_tl=en`;
}

function toUrl(content: string): URL {
  return new URL(content.includes('://') ? content : `http://${content}`);
}

function oneOf(items: readonly string[], content: string): string {
  return items[Math.floor(fractionOf(content, SEED) * items.length)] as string;
}
