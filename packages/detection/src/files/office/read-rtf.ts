import { namesOtherComputer } from '../../analysis/other-computer.ts';
import type { Finding } from '../../finding.ts';
import { extractLinks } from '../extract-links.ts';
import type { Contents } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import { latin1 } from '../file-type.ts';

const MAX_WORDS = 1024 * 1024;
const OBJECT = /\\obj(?:data|emb|link|autlink|ocx|html|sub|pub|update)(?![a-z])/i;
const LOADS = /\\objupdate|\\objautlink|\\objclass\s*Equation|4571756174696f6e/i;
const TEMPLATE = /\\\*\s{0,8}\\template\s{1,8}([^{}]{1,2048})/i;
const COMMAND_FIELD = /\\fldinst\b[^}]{0,200}\bDDE(?:AUTO)?\b/i;

/** Reads rich text (RTF 1.9.1) by its control words. */
export function readRtf(bytes: Uint8Array): Contents {
  const raw = latin1(bytes);
  // Without groups for fonts, pictures and data, this is close to the displayed text.
  const shown = raw
    .slice(0, MAX_WORDS)
    .replace(/\\u(-?\d{1,5})(?: |\?|\\'[0-9a-f]{2})?/gi, (_, code: string) =>
      String.fromCharCode(Number(code) & 0xffff),
    )
    .replace(/\\'([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const words = shown
    .replace(/\{\\\*[^{}]*\}/g, ' ')
    .replace(/\\[a-z]{1,32}-?\d{0,10} ?|[{}]|[0-9a-f]{64,4096}/gi, ' ');
  return {
    texts: [words],
    // Links of fields are in a group that is not displayed.
    links: extractLinks(shown),
    findings: findingsOf(raw, shown),
    unread: () => {
      if (raw.length > MAX_WORDS) return 'it is too long to be read to the end';
      return OBJECT.test(raw) ? 'an embedded object in it is not read' : undefined;
    },
  };
}

function findingsOf(raw: string, shown: string): Finding[] {
  const findings: Finding[] = [];
  if (/\\objdata/.test(raw) && LOADS.test(raw)) findings.push(fileFinding('object_in_rtf'));
  const template = TEMPLATE.exec(shown)?.[1] ?? '';
  if (/https?:/i.test(template) || namesOtherComputer(template)) {
    findings.push(fileFinding('remote_template'));
  }
  if (COMMAND_FIELD.test(shown)) findings.push(fileFinding('command_in_document'));
  return findings;
}
