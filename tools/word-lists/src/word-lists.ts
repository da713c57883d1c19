import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FAMILY_NAMES, GIVEN_NAMES } from '@tps/detection/training';
import dictionary from 'dictionary-en';
import { readFakerNames, readFakerRelease, readFamilyAndGivenNames } from './faker-names.ts';
import { selectFamilyNames, toFamilyNamesSource } from './family-names.ts';
import { selectGivenNames, toGivenNamesSource } from './given-names.ts';
import { selectOwnedDomains, toOwnedDomainsSource } from './owned-domains.ts';
import { parseReviewedList } from './reviewed-list.ts';
import { selectShorteners, toShortenersSource } from './shorteners.ts';
import { selectWellKnownHosts, toWellKnownHostsSource } from './well-known-hosts.ts';

/** A file of detection that this tool writes. */
export interface WordList {
  /** Below `packages/detection/src/`. */
  readonly file: string;
  readonly source: string;
}

/** Generates every list. The same sources always generate the same files. */
export function generateWordLists(): WordList[] {
  const shorteners = selectShorteners(
    read('../sources/spamassassin-4.0.1-url-shorteners.cf'),
    parseReviewedList(read('../reviewed/shorteners.txt')),
  );
  const sources = readFakerNames();
  const words = readEnglishWords();
  const givenNames = selectGivenNames(
    { sources, words },
    parseReviewedList(read('../reviewed/given-names.txt')),
  );
  const familyNames = selectFamilyNames(
    {
      ...readFamilyAndGivenNames(),
      places: sources.flatMap(({ places }) => places),
      words,
      knownNames: new Set([...FAMILY_NAMES, ...GIVEN_NAMES]),
    },
    parseReviewedList(read('../reviewed/family-names.txt')),
  );
  const ownedDomains = selectOwnedDomains({
    sharedCredentials: read('../sources/apple-shared-credentials-2026-08-22.json'),
    google: read('../sources/misp-warninglist-google-2026-08-20.json'),
    reviewed: read('../reviewed/owned-domains.txt'),
  });
  const wellKnownHosts = selectWellKnownHosts(
    ['bank-website', 'microsoft', 'microsoft-office365', 'moz-top500'].map((name) =>
      read(`../sources/misp-warninglist-${name}-2026-08-20.json`),
    ),
  );
  const release = readFakerRelease();
  return [
    { file: 'lexicon/shorteners.ts', source: toShortenersSource(shorteners) },
    { file: 'lexicon/owned-domains.ts', source: toOwnedDomainsSource(ownedDomains) },
    {
      file: 'indicators/import/well-known-hosts.ts',
      source: toWellKnownHostsSource(wellKnownHosts),
    },
    { file: 'redaction/name/public-given-names.ts', source: toGivenNamesSource(givenNames, release) },
    { file: 'redaction/name/public-family-names.ts', source: toFamilyNamesSource(familyNames, release) },
  ];
}

/** The dictionary writes names with a capital letter, and words without: `grace/DSMG`, `Grace/M`. */
function readEnglishWords(): Set<string> {
  const lines = Buffer.from(dictionary.dic).toString('utf8').split('\n');
  return new Set(lines.flatMap((line) => /^[a-z]+/.exec(line)?.[0] ?? []));
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

/** Returns the path of a generated file. */
export function pathOf({ file }: WordList): string {
  return fileURLToPath(new URL(`../../../packages/detection/src/${file}`, import.meta.url));
}
