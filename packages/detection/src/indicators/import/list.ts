import type { Collector, ImportOptions } from './collector.ts';
import { refang } from './refang.ts';
import { typeOfValue, UNRECOGNIZED_TYPE, usualThreatType } from './value-type.ts';

/** A line of a hosts file: an unroutable address, then names. */
const HOSTS_LINE = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?|fe80::1%lo0)\s+(.+)$/;
/** Names of the machine itself, which every hosts file contains. */
const OWN_NAMES = /^(?:localhost|localhost\.localdomain|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/;
const COMMENT = /^(?:#|!|;|\/\/)/;

/**
 * Reads one value per line, or the lines of a hosts file. Comments are skipped, and defanged values are
 * restored.
 */
export function readList(text: string, collector: Collector, { type: statedType }: ImportOptions): void {
  let number = 0;
  for (const [line] of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    number += 1;
    const where = `line ${number}`;
    const content = line.trim();
    if (content === '' || COMMENT.test(content)) continue;
    const value = content.replace(/\s#.*$/, '').trimEnd();
    const names = HOSTS_LINE.exec(value)?.[1]
      ?.split(/\s+/)
      .filter((name) => !OWN_NAMES.test(name));
    for (const each of names ?? [value]) {
      const plain = refang(each).replace(/^\*?\./, '');
      const type = statedType ?? typeOfValue(plain);
      if (type === undefined) collector.skip(where, UNRECOGNIZED_TYPE);
      else collector.add({ type, value: plain, where, threatType: usualThreatType(type) });
    }
  }
}
