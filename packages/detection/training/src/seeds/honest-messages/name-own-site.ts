const SENDERS_PER_TEMPLATE = 3;

/**
 * Has templates name a few senders, each with its own site, as a stranger's site would be a mark of scams.
 * Each template gets the next few, as one with all of them takes long to fill.
 */
export function nameOwnSite(
  templates: readonly string[],
  [nameSlot, siteSlot]: readonly [string, string],
  senders: readonly (readonly [string, string])[],
): string[] {
  return templates.map((template, at) => {
    const versions = Array.from({ length: SENDERS_PER_TEMPLATE }, (_, next) => {
      const [name, site] = senders[(at * SENDERS_PER_TEMPLATE + next) % senders.length] ?? ['', ''];
      return template.replaceAll(`{${nameSlot}}`, name).replaceAll(`{${siteSlot}}`, site);
    });
    return `[${versions.join('|')}]`;
  });
}
