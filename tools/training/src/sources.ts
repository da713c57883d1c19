/** The origin of rows, what its licence permits, and whether it is only for testing. */
export interface Source {
  readonly licence: string;
  /** Whether a model trained on it may be redistributed. */
  readonly redistributable: boolean;
  /** Never used for training, regardless of the licence, so that it measures unseen kinds of content. */
  readonly heldOut?: boolean;
}

const NONE = 'none stated';
/** The everyday texts in `tools/training/data`. */
const EVERYDAY: Source = { licence: "this project's", redistributable: true, heldOut: true };

/**
 * Every source that rows may name, `deepurlbench` for those that name none. Rows of unknown sources are
 * evaluated but never used for training.
 */
export const SOURCES: Readonly<Record<string, Source>> = {
  everyday_sms: EVERYDAY,
  everyday_mail: EVERYDAY,
  everyday_call: EVERYDAY,
  everyday_other_languages: EVERYDAY,
  uci: { licence: 'CC BY 4.0', redistributable: true },
  mendeley: { licence: 'CC BY 4.0', redistributable: true },
  smishtank: { licence: NONE, redistributable: false, heldOut: true },
  exais: { licence: NONE, redistributable: false },
  spamhunter: { licence: NONE, redistributable: false },
  nus: { licence: 'public, no licence file', redistributable: false },
  phishpot: { licence: 'CC BY-NC 4.0', redistributable: false },
  'sa_easy-ham-1': { licence: 'PDDL 1.0', redistributable: true },
  'sa_easy-ham-2': { licence: 'PDDL 1.0', redistributable: true },
  'sa_hard-ham-1': { licence: 'PDDL 1.0', redistributable: true },
  'sa_spam-1': { licence: 'PDDL 1.0', redistributable: true },
  'sa_spam-2': { licence: 'PDDL 1.0', redistributable: true },
  'robocall(ScamDataset)': {
    licence: `${NONE}; FTC public records`,
    redistributable: false,
    heldOut: true,
  },
  switchboard: { licence: 'CC BY-NC-SA 3.0', redistributable: false },
  taskmaster4: { licence: 'CC BY 4.0', redistributable: true, heldOut: true },
  openphish: { licence: 'non-commercial', redistributable: false },
  // Published by a national CERT so that others can protect people with it; no terms restrict that.
  jpcert: { licence: `${NONE}; published by JPCERT/CC for use`, redistributable: true },
  phishtank2020: { licence: 'PhishTank terms', redistributable: false },
  ebbu2017: { licence: NONE, redistributable: false },
  esdaung2021: { licence: NONE, redistributable: false },
  iscx2016: { licence: NONE, redistributable: false },
  deepurlbench: { licence: 'CC BY-NC 4.0', redistributable: false },
  '2fa': { licence: 'MIT', redistributable: true, heldOut: true },
  apple_chpw: { licence: 'MIT', redistributable: true, heldOut: true },
  jdm: { licence: 'MIT', redistributable: true, heldOut: true },
  portfolios: { licence: NONE, redistributable: false, heldOut: true },
  publicapis: { licence: 'MIT', redistributable: true },
  simpleicons: { licence: 'CC0 1.0', redistributable: true },
  freebooks: { licence: 'CC BY 4.0', redistributable: true },
  opendns_rand: { licence: 'public domain', redistributable: true },
  opendns_top: { licence: 'public domain', redistributable: true },
  selfhosted: { licence: 'CC BY-SA 3.0', redistributable: false },
  citizenlab: { licence: 'CC BY-NC-SA 4.0', redistributable: false },
  engblogs: { licence: NONE, redistributable: false },
};
