import { refang } from '../normalize/refang.ts';
import { findAddresses } from './find-addresses.ts';
import { ADDRESS, FOLDS, lookAt, NAME, NUMBER, PATH, PHONE } from './first-look.ts';
import { findHomeFolders } from './home-folder.ts';
import { findIdentifiers } from './identifier/find-identifiers.ts';
import { findNames } from './name/find-names.ts';
import { findNamePatterns } from './name/name-patterns.ts';
import { findPhones } from './phone/find-phones.ts';
import { findHashedUrls, URL_PLACEHOLDER_PREFIX, WHOLE_PLACEHOLDER } from './placeholder.ts';
import { claimGaps, type Finder, type Span } from './span.ts';
import { finish, type Steps } from './steps.ts';

/**
 * The second pass confirms the first; it changes a text only if a replacement altered what its neighbour
 * looks like. Of 100,000 texts composed of critical fragments 15 changed a third time, none a fourth.
 */
const MAX_PASSES = 6;

/**
 * Removes certain kinds of personal data. E-mail addresses, phone numbers, recognized names, IBANs, cards,
 * national ids, documents, plates, dates of birth, streets, device numbers, wallets and users in paths become
 * placeholders such as `[email]`; a URL becomes `url:sha256:<SHA-256 of the URL as written, UTF-8, hex>`, an IP
 * address its /24 or /48 network. Idempotent and deterministic; linear in the length of the text. All else is
 * kept as written, other personal data too: names without a cue, towns, numbers that nothing identifies.
 *
 * A hostile text that does not become stable is replaced as a whole by `[redacted]`, so the guarantee has no
 * exception.
 */
export function redactText(text: string): string {
  return finish(redactTextInSteps(text));
}

/** The same in steps of one pass each. */
export function* redactTextInSteps(text: string): Steps<string> {
  let settled = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const redacted = redactOnce(settled);
    if (redacted === settled) return settled;
    settled = redacted;
    yield;
  }
  return WHOLE_PLACEHOLDER;
}

/**
 * Replaces URLs and other addresses like the first pass of `redactText`, and keeps phone numbers and names as
 * written.
 */
export function redactAddresses(text: string): string {
  return redactOnce(text, (look) => (look & ADDRESS ? [findAddresses] : []));
}

function redactOnce(written: string, selectRules = rulesFor): string {
  const look = lookAt(written);
  const folded = look & FOLDS ? refang(written, { references: true }) : { text: written, origin: undefined };
  const { text, origin } = folded;
  const rules = selectRules(origin === undefined ? look : lookAt(text));
  if (rules.length === 0) return written;
  let spans = text.includes(URL_PLACEHOLDER_PREFIX) ? claimGaps(text, [], findHashedUrls) : [];
  for (const rule of rules) spans = claimGaps(text, spans, rule);
  if (spans.length === 0) return written;
  return replace(written, spans, {
    start: (span) => (origin === undefined ? span.start : (origin.starts[span.start] ?? 0)),
    end: (span) => (origin === undefined ? span.end : (origin.ends[span.end - 1] ?? 0)),
  });
}

type Origin = { readonly start: (span: Span) => number; readonly end: (span: Span) => number };

function replace(written: string, spans: readonly Span[], origin: Origin): string {
  let output = '';
  let position = 0;
  for (const span of spans) {
    const start = Math.max(position, origin.start(span));
    const end = Math.max(start, origin.end(span));
    output += written.slice(position, start) + span.write(written.slice(start, end));
    position = end;
  }
  return output + written.slice(position);
}

function rulesFor(look: number): readonly Finder[] {
  const rules: Finder[] = [];
  if (look & ADDRESS) rules.push(findAddresses);
  if (look & PATH) rules.push(findHomeFolders);
  if (look & NUMBER) rules.push(findIdentifiers);
  if (look & PHONE) rules.push(findPhones);
  if (look & NAME) rules.push(findNamePatterns, findNames);
  return rules;
}
