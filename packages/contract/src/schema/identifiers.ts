import { type TString, Type } from 'typebox';

/** Who makes an id: clients make events and devices (and may make policies), the service makes the rest. */
export const ID_PREFIXES = {
  tenant: 'tnt',
  event: 'evt',
  device: 'dev',
  policy: 'pol',
  threat: 'thr',
  alert: 'alr',
  incident: 'inc',
  job: 'job',
  trace: 'trc',
  step: 'stp',
  artifact: 'art',
  scan: 'scn',
  import: 'imp',
  guidance: 'gui',
  token: 'tok',
  webhook: 'whk',
  delivery: 'dlv',
  dead_letter: 'dlq',
  audit: 'aud',
} as const;

export type IdNoun = keyof typeof ID_PREFIXES;
export type IdPrefix = (typeof ID_PREFIXES)[IdNoun];

/** Matches the ids of one noun: `<prefix>_<body>`, body 1 to 64 of `A-Z a-z 0-9 _ -`. */
export function idForm(noun: IdNoun): RegExp {
  return new RegExp(`^${ID_PREFIXES[noun]}_[A-Za-z0-9_-]{1,64}$`);
}

/**
 * Builds the schema of one noun's id: `<prefix>_<body>`, body 1 to 64 of `A-Z a-z 0-9 _ -`.
 * Ids are unique within a tenant. Those that the service makes sort by time.
 */
export function idOf(noun: IdNoun, description?: string): TString {
  const prefix = ID_PREFIXES[noun];
  return Type.String({
    pattern: idForm(noun).source,
    description: description ?? `Identifier of the ${noun.replace('_', ' ')}, \`${prefix}_<id>\`.`,
  });
}
