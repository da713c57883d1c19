import { namesOtherComputer } from '../../analysis/other-computer.ts';
import { extractLinks } from '../extract-links.ts';
import type { Contents } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import { latin1 } from '../file-type.ts';

/** Windows does not read a longer command line. */
const MAX_READ_LENGTH = 65_536;
/** The length before a string may look like a letter, and the program may be apart from its arguments. */
const COMMAND =
  /cmd\.exe|\bcmd\s*\/|powershell|pwsh|mshta|wscript|cscript|rundll32|regsvr32|msiexec|certutil|bitsadmin|curl\.exe|\bcurl\s|conhost|forfiles|ftp\.exe|explorer\.exe\s+\\\\/i;

/**
 * Reads a Windows shortcut (MS-SHLLINK). Its strings are searched as they are, with one or two bytes per
 * character, because malware omits or forges the fields that locate them.
 */
export function readShortcut(bytes: Uint8Array): Contents {
  const raw = latin1(bytes.subarray(0, MAX_READ_LENGTH));
  const text = `${raw}\n${raw.replaceAll('\0', '')}`;
  const links = extractLinks(text);
  const runs = COMMAND.test(text) || links.length > 0 || namesOtherComputer(text);
  return { findings: [fileFinding(runs ? 'shortcut_with_command' : 'shortcut')], links };
}
