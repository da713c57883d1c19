import { posix } from 'node:path';
import { PUBLISHED } from '../pack-check/pack.ts';

/** Whether a page is for people who change the product, by its path in the repository. A release leaves it out. */
export function isForContributors(path: string): boolean {
  if (/^(?:(?:ARCHITECTURE|CONTRIBUTING)\.md$|(?:acceptance|bench|contributing|scripts|tools)\/)/.test(path))
    return true;
  const [, name, folder] = /^packages\/([^/]+)\/(.*)README\.md$/.exec(path) ?? [];
  return name !== undefined && (folder !== '' || !PUBLISHED.some((published) => published === name));
}

/** Returns a page with the text of each link to a page for contributors instead of the link. */
export function withoutContributorLinks(page: string, markdown: string): string {
  return markdown.replaceAll(
    /\[([^\]]*)\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g,
    (link, text: string, target: string) =>
      isForContributors(posix.join(posix.dirname(page), target)) ? text : link,
  );
}
