import { namesOtherComputer } from '../../analysis/other-computer.ts';
import { extractLinks, MAX_LINKS } from '../extract-links.ts';
import { decodeEntities } from './xml-entities.ts';

/** Relations that are fetched when a document is opened; a hyperlink waits for a click. */
const FETCHED = /\/(?:attachedTemplate|oleObject|frame|subDocument)$/;
/** Pictures from web pages are common; a picture on another computer reveals who opens the document. */
const DRAWN = /\/image$/;
/** Programs that execute what a URL contains. */
const COMMAND =
  /^\s*(?:ms-msdt|search-ms|ms-officecmd|ms-appinstaller|powershell|cmd(?:\.exe)?|mshta|wscript|cscript)\b/i;
/** XML allows both quotes, `>` within quotes, blanks around the sign, and a prefix before the name. */
const RELATION = /<(?:[\w.-]{1,32}:)?Relationship\s(?:[^<>"']|"[^"<]{0,65536}"|'[^'<]{0,65536}'){1,65536}>/g;
const ATTRIBUTE = /\b(Target|TargetMode|Type|Id)\s{0,8}=\s{0,8}(?:"([^"]{0,65536})"|'([^']{0,65536})')/g;

export interface ExternalRelations {
  readonly links: readonly string[];
  /** The targets, by the id by which another part refers to them. */
  readonly targets: ReadonlyMap<string, string>;
  /** Something is loaded from elsewhere when the document is opened. */
  readonly isFetched: boolean;
  /** Another program is started. */
  readonly hasCommand: boolean;
}

/**
 * Reads the external relations of a document (ECMA-376 part 2, section 9.3): where it leads and what it
 * fetches.
 */
export function readExternalRelations(xml: string): ExternalRelations {
  const links: string[] = [];
  const targets = new Map<string, string>();
  let isFetched = false;
  let hasCommand = false;
  for (const [relation] of xml.matchAll(RELATION)) {
    const of = new Map<string, string>();
    for (const [, name = '', inDouble, inSingle] of relation.matchAll(ATTRIBUTE)) {
      of.set(name, decodeEntities(inDouble ?? inSingle ?? ''));
    }
    if (of.get('TargetMode') !== 'External') continue;
    const target = of.get('Target') ?? '';
    // A URL may contain another one, such as `mhtml:https://…!x-usc:https://…`.
    const pages = extractLinks(target);
    if (links.length < MAX_LINKS) {
      links.push(...pages);
      targets.set(of.get('Id') ?? '', target);
    }
    const type = of.get('Type') ?? '';
    const isAway = namesOtherComputer(target);
    isFetched ||= FETCHED.test(type) ? isAway || pages.length > 0 : DRAWN.test(type) && isAway;
    hasCommand ||= COMMAND.test(target);
  }
  return { links, targets, isFetched, hasCommand };
}
