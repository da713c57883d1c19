import { extractLinks } from '../extract-links.ts';
import type { Contents } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import { latin1 } from '../file-type.ts';
import { namesOtherComputer } from './read-launcher.ts';

/** Windows reads no longer command line. */
const LOOKED_AT = 65_536;
/** The length of a string stands before it and may look like a letter, and what is run apart from what it is told. */
const COMMAND =
  /cmd\.exe|\bcmd\s*\/|powershell|pwsh|mshta|wscript|cscript|rundll32|regsvr32|msiexec|certutil|bitsadmin|curl\.exe|\bcurl\s|conhost|forfiles|ftp\.exe|explorer\.exe\s+\\\\/i;

/**
 * Reads a Windows shortcut (MS-SHLLINK). Its strings are taken as they lie there, in one byte or two for each character,
 * because malware leaves out or lies about the fields that say where they are.
 */
export function readShortcut(bytes: Uint8Array): Contents {
  const raw = latin1(bytes.subarray(0, LOOKED_AT));
  const text = `${raw}\n${raw.replaceAll('\0', '')}`;
  const links = extractLinks(text);
  const runs = COMMAND.test(text) || links.length > 0 || namesOtherComputer(text);
  return { findings: [fileFinding(runs ? 'shortcut_with_command' : 'shortcut')], links };
}
