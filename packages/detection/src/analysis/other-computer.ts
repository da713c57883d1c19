import type { Finding } from '../finding.ts';
import { THREAT_TYPES } from '../threat-type.ts';

/** The path of a file on another computer, as a network path or a URL. */
const ON_ANOTHER_COMPUTER = /file:(?:\/\/(?![/\\])|\/{4,5}|\\\\)[^/\\\s]|(?<![\\:])\\\\[\w.@-]{1,255}\\/i;
/** A search that shows the files of another computer, and programs that run what is in their URL. */
const RUNS = /^(?:search-ms|search|ms-msdt|ms-officecmd|ms-appinstaller|mshta|vbscript):/i;

/** Returns whether a text names a file on another computer. */
export function namesOtherComputer(text: string): boolean {
  return ON_ANOTHER_COMPUTER.test(text);
}

/** Returns whether a link opens a file on another computer, or runs a program. */
export function opensOtherComputer(link: string): boolean {
  return /^(?:file:|\\\\)/i.test(link) ? namesOtherComputer(`${link}\\`) : RUNS.test(link);
}

/** The finding for such a link. Pages and messages do not need one. */
export const OTHER_COMPUTER = {
  detector: 'url_model',
  threatType: 'malware',
  category: THREAT_TYPES.malware.category,
  confidence: 0.8,
  evidence: 'a link that opens a file on another computer or runs a program',
  minimumVerdict: 'warn',
} as const satisfies Finding;
