import { isOnAnotherComputer } from './read-launcher.ts';
import { linksIn } from './read-script.ts';
import { withoutEntities } from './xml-entities.ts';

/** More than is judged, so that it is seen that there are more. */
const MOST_LINKS = 400;
/** Relations that are fetched when a document is opened; a hyperlink waits for a click. */
const FETCHED = /\/(?:attachedTemplate|oleObject|frame|subDocument)$/;
/** XML allows either quote, the end of a tag within quotes, blanks around the sign, and a prefix before the name. */
const RELATION = /<(?:[\w.-]{1,32}:)?Relationship\s(?:[^<>"']|"[^"<]{0,65536}"|'[^'<]{0,65536}'){1,65536}>/g;
const ATTRIBUTE = /\b(Target|TargetMode|Type)\s{0,8}=\s{0,8}(?:"([^"]{0,65536})"|'([^']{0,65536})')/g;

/** Reads where a document leads and what it fetches: the relations (ECMA-376 part 2, section 9.3) to what lies outside it. */
export function relationsOutside(xml: string): {
  readonly links: readonly string[];
  readonly isFetched: boolean;
} {
  const links: string[] = [];
  let isFetched = false;
  for (const [relation] of xml.matchAll(RELATION)) {
    const of = new Map<string, string>();
    for (const [, name = '', inDouble, inSingle] of relation.matchAll(ATTRIBUTE)) {
      of.set(name, withoutEntities(inDouble ?? inSingle ?? ''));
    }
    if (of.get('TargetMode') !== 'External') continue;
    const target = of.get('Target') ?? '';
    // Addresses may stand within others, such as `mhtml:https://…!x-usc:https://…`.
    const pages = linksIn(target);
    if (links.length < MOST_LINKS) links.push(...pages);
    isFetched ||= FETCHED.test(of.get('Type') ?? '') && (pages.length > 0 || isOnAnotherComputer(target));
  }
  return { links, isFetched };
}
