import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A link that leads nowhere, and why. */
interface BrokenLink {
  readonly page: string;
  readonly link: string;
  readonly why: string;
}

/** The pages below a folder (Markdown), except those of packages of others. Links of folders are not followed. */
export function findPages(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:node_modules|\..*)$/.test(entry.name) ? [] : findPages(root, path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Checks each link of pages to a file below `root`, and to a heading of it. */
export function findBrokenLinks(root: string, pages: readonly string[]): BrokenLink[] {
  return pages.flatMap((page) =>
    findLinks(readFileSync(join(root, page), 'utf8')).flatMap((link) => {
      const why = whyBroken(root, join(root, page), link);
      return why === undefined ? [] : [{ page, link, why }];
    }),
  );
}

/** The targets of all links of a page. */
export function findLinks(markdown: string): string[] {
  const text = withoutCode(markdown);
  const inline = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)];
  const references = [...text.matchAll(/^\[[^\]]+\]: *<?(\S+?)>?$/gm)];
  return [...inline, ...references].map(([, target = '']) => target);
}

/** The text without code, in which a bracket does not begin a link. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The anchors that GitHub creates for the headings. */
function findAnchors(markdown: string): Set<string> {
  const headings = markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').matchAll(/^#{1,6} +(.+?) *$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Why a link is broken; undefined when it works or leads to another site. */
function whyBroken(root: string, page: string, link: string): string | undefined {
  if (/^(https?|mailto):/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : resolve(dirname(page), decodeURIComponent(path));
  if (relative(root, target).startsWith('..')) return 'is outside the folder';
  if (!existsSync(target)) return 'does not exist';
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  return findAnchors(readFileSync(target, 'utf8')).has(anchor) ? undefined : 'has no such heading';
}
