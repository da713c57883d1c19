import { compareShown, type ShownSign } from '../../analysis/shown-address.ts';
import { decodeEntities } from './xml-entities.ts';

/** A link of a document: the words that it displays, and its target or the id of the relation that holds it. */
export interface ShownLink {
  readonly shown: string;
  readonly target: string;
}

/** Of one part of a document. */
const MAX_SHOWN = 2000;
const NAME = '(?:[\\w.-]{1,32}:)?';
const ATTRIBUTES = '((?:[^<>"]|"[^"<]{0,2048}"){0,32})';
/** A link around words (ECMA-376 part 1, 17.16.22; ODF 1.2, 6.1.8), one in the properties of words (21.1.2.3.5), a cell. */
const LINKS: readonly RegExp[] = [
  new RegExp(`<${NAME}hyperlink\\s${ATTRIBUTES}>([\\s\\S]{0,4096}?)</${NAME}hyperlink>`, 'g'),
  new RegExp(`<text:a\\s${ATTRIBUTES}>([\\s\\S]{0,4096}?)</text:a>`, 'g'),
  new RegExp(`<${NAME}hlinkClick\\s${ATTRIBUTES}/?>([\\s\\S]{0,1024}?)</${NAME}r>`, 'g'),
  new RegExp(`<${NAME}hyperlink\\s${ATTRIBUTES}/>()`, 'g'),
];
/** A link as a field: its code, then what is displayed (17.16.5.25). */
const FIELD =
  /HYPERLINK\s{1,8}(?:"|&quot;)(https?:[^"<>&]{1,2048})[\s\S]{0,512}?fldCharType="separate"([\s\S]{0,4096}?)fldCharType="end"/g;
const TARGET = /(?:^|\s)(?:[\w.-]{1,32}:)?(?:id|href)="([^"]*)"/;
const DISPLAY = /(?:^|\s)(?:display|tooltip)="([^"]*)"/;

/** Returns the links of a part and the texts that they display. */
export function readShownLinks(xml: string): ShownLink[] {
  const found: ShownLink[] = [];
  for (const pattern of LINKS) {
    for (const [, attributes = '', words = ''] of xml.matchAll(pattern)) {
      const target = TARGET.exec(attributes)?.[1] ?? '';
      const shown = [wordsOf(words), decodeEntities(DISPLAY.exec(attributes)?.[1] ?? '')];
      for (const each of shown) if (each !== '') found.push({ shown: each, target: decodeEntities(target) });
      if (found.length > MAX_SHOWN) return found;
    }
  }
  // The words are between the ends of two tags.
  for (const [, target = '', words = ''] of xml.matchAll(FIELD))
    found.push({ shown: wordsOf(`<${words}>`), target: decodeEntities(target) });
  return found;
}

/** Compares what links display with where they lead. */
export function signsOfShown(
  links: readonly ShownLink[],
  targets: ReadonlyMap<string, string>,
): Set<ShownSign> {
  return new Set(
    links.flatMap(({ shown, target }) => compareShown(shown, targets.get(target) ?? target) ?? []),
  );
}

function wordsOf(xml: string): string {
  return decodeEntities(xml.replace(/<[^<>]*>/g, '')).trim();
}
