import { namesOtherComputer } from '../../analysis/other-computer.ts';
import { endingOf } from '../disguised-name.ts';
import { extractLinks } from '../extract-links.ts';
import type { Contents } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';

/** Extensions of text files that open something elsewhere or change settings when opened. */
const LAUNCHER =
  /^(?:url|website|webloc|inetloc|fileloc|desktop|terminal|rdp|ica|ovpn|mobileconfig|library-ms|search-ms|searchconnector-ms|settingcontent-ms|appref-ms|application|appinstaller|jnlp|theme|contact|iqy|oqy|dqy|rqy|slk)$/;
/** Those that are only a link. */
const BOOKMARK = /^(?:url|website|webloc)$/;
const OTHER_THAN_PAGE = /(?:\bURL\s{0,8}=|<string>)\s{0,8}(?!https?:)\S/i;
const MAX_READ_LENGTH = 262_144;

export function isLauncherName(name: string | undefined): boolean {
  return LAUNCHER.test(endingOf(name)) || /(?:^|[\\/])desktop\.ini$/i.test(name ?? '');
}

/** Reads a bookmark, a shortcut in text form, or a settings file: where it leads, not what it sets. */
export function readLauncher(text: string, name: string | undefined): Contents {
  const head = text.slice(0, MAX_READ_LENGTH);
  const leadsAway = namesOtherComputer(head);
  const isBookmark = BOOKMARK.test(endingOf(name)) && !leadsAway && !OTHER_THAN_PAGE.test(head);
  return {
    links: extractLinks(head),
    findings: leadsAway ? [fileFinding('opens_elsewhere')] : [],
    ...(isBookmark && head.length === text.length
      ? {}
      : { opaque: 'it opens something elsewhere or changes settings, which is not analyzed' }),
  };
}
