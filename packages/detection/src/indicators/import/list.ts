import type { Collector, ImportOptions } from './collector.ts';
import { refang } from './refang.ts';
import { typeOfValue, UNRECOGNIZED_TYPE, usualThreatType } from './value-type.ts';

/** A line of a hosts file: an unroutable address, then names. */
const HOSTS_LINE = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?|fe80::1%lo0)\s+(.+)$/;
/** Names of the machine itself, which every hosts file contains. */
const OWN_NAMES = /^(?:localhost|localhost\.localdomain|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/;
const COMMENT = /^(?:#|!|;|\/\/|\[Adblock|@@|\$TTL|\$ORIGIN|(?:local-data|server):)/i;
/** A rule for a whole domain in the language of blockers, with or without options. */
const BLOCKER_RULE = /^\|\|([^/^|$*]+)\^?(?:\$[\w~,=.|-]*)?$/;
/** A line of a zone of response policies: the name has no answer. The lines about the zone itself begin with `@`. */
const POLICY = /^(?:\*\.)?(\S+?)\.?\s+(?:\d+\s+)?(?:IN\s+)?CNAME\s+\.$/i;
const ZONE = /^@?\s*(?:\d+\s+)?(?:IN\s+)?(?:SOA|NS)\s/i;
/** A line of Unbound's configuration. */
const LOCAL_ZONE =
  /^local-zone:\s*"?([^"\s]+?)\.?"?\s+"?(?:always_nxdomain|always_null|always_refuse|refuse|deny|static|redirect)"?$/i;
/** A line of dnsmasq's configuration. */
const DNSMASQ = /^(?:address|server|local)=\/([^/]+)\//;

/**
 * Reads one value per line, or the lines of a hosts file, of a blocker (Adblock), or of a name server (response policies,
 * Unbound, dnsmasq). Comments and exceptions are skipped, and defanged values are restored.
 */
export function readList(text: string, collector: Collector, { type: statedType }: ImportOptions): void {
  let number = 0;
  for (const [line] of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    number += 1;
    const where = `line ${number}`;
    const content = line.trim();
    if (content === '' || COMMENT.test(content) || ZONE.test(content)) continue;
    const value = content.replace(/\s#.*$/, '').trimEnd();
    const names = HOSTS_LINE.exec(value)?.[1]
      ?.split(/\s+/)
      .filter((name) => !OWN_NAMES.test(name));
    for (const each of names ?? [nameInRule(value)]) {
      const plain = refang(each).replace(/^\*?\./, '');
      const type = statedType ?? typeOfValue(plain);
      if (type === undefined) collector.skip(where, UNRECOGNIZED_TYPE);
      else collector.add({ type, value: plain, where, threatType: usualThreatType(type) });
    }
  }
}

/** Returns the name that a line of a blocker or a name server blocks; any other line stays as it is. */
function nameInRule(line: string): string {
  for (const rule of [BLOCKER_RULE, POLICY, LOCAL_ZONE, DNSMASQ]) {
    const name = rule.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return line;
}
