import { endingOf } from '../disguised-name.ts';
import { extractLinks } from '../extract-links.ts';
import type { Contents } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';

/** Extensions with which a double click runs a text on some system. */
const SCRIPT =
  /^(?:js|jse|vbs|vbe|wsf|wsh|wsc|sct|hta|msc|ps1|psm1|ps1xml|psc1|bat|cmd|inf|scf|reg|sh|bash|zsh|csh|ksh|command|applescript|scpt|pyw?|pl|rb|ahk|au3)$/;
const FETCHES =
  /DownloadString|DownloadFile|Invoke-WebRequest|\biwr\b|Net\.WebClient|Start-BitsTransfer|bitsadmin|certutil\s+-(?:urlcache|decode)|MSXML2\.(?:Server)?XMLHTTP|WinHttp\.WinHttpRequest|\b(?:curl|wget)\b|ADODB\.Stream/i;
const RUNS =
  /Invoke-Expression|\biex\b|WScript\.Shell|Shell\.Application|\.ShellExecute|Start-Process|\brundll32\b|\bmshta\b|\bregsvr32\b|\|\s*(?:ba)?sh\b|\beval\b|\bexecute(?:Global)?\b/i;
const HIDES =
  /-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{40}|FromBase64String|(?:\\x[0-9a-f]{2}){60}|(?:chrw?\(\d{1,3}\)\s*&\s*){20}/i;
/** The cues are near the beginning, or are repeated. */
const MAX_READ_LENGTH = 262_144;

/** Returns whether a text with this name runs when opened. */
export function isScriptName(name: string | undefined): boolean {
  return SCRIPT.test(endingOf(name));
}

/** Reads a text that runs. Only cues are found: what the script does is not analyzed. */
export function readScript(text: string): Contents {
  const script = text.slice(0, MAX_READ_LENGTH);
  const isDangerous = (FETCHES.test(script) && RUNS.test(script)) || HIDES.test(script);
  return {
    findings: [fileFinding(isDangerous ? 'script_that_fetches' : 'script')],
    texts: [],
    links: extractLinks(script),
    opaque: 'what the script does is not analyzed',
  };
}
