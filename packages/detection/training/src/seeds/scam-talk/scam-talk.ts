import { BUSINESS } from './business.ts';
import { CALLS } from './calls.ts';
import { CODES } from './codes.ts';
import { SCAM_TALK_GERMANIC } from './elsewhere-germanic.ts';
import { SCAM_TALK_ROMANCE_LANGUAGES } from './elsewhere-romance.ts';
import { FAMILY } from './family.ts';
import { JOBS } from './jobs.ts';
import { LURE_MAILS } from './mails.ts';
import { MARKETPLACE } from './marketplace.ts';
import { MONEY_PROMISES } from './money.ts';
import { ROMANCE } from './romance.ts';
import { SHORT_LINES } from './short-lines.ts';
import { THREATS } from './threats.ts';

/** Scams as they are worded today, mostly without a link: talk, mails and calls. */
export const SCAM_TALK: readonly string[] = [
  ...BUSINESS,
  ...CALLS,
  ...CODES,
  ...SCAM_TALK_GERMANIC,
  ...SCAM_TALK_ROMANCE_LANGUAGES,
  ...FAMILY,
  ...JOBS,
  ...LURE_MAILS,
  ...MARKETPLACE,
  ...MONEY_PROMISES,
  ...ROMANCE,
  ...SHORT_LINES,
  ...THREATS,
];
