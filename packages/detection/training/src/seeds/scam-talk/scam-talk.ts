import { BUSINESS } from './business.ts';
import { CALLS } from './calls.ts';
import { CODES } from './codes.ts';
import { FAMILY } from './family.ts';
import { JOBS } from './jobs.ts';
import { MARKETPLACE } from './marketplace.ts';
import { MONEY_PROMISES } from './money.ts';
import { ROMANCE } from './romance.ts';
import { THREATS } from './threats.ts';

/** Scams as they are worded today, mostly without a link: talk, mails and calls. */
export const SCAM_TALK: readonly string[] = [
  ...BUSINESS,
  ...CALLS,
  ...CODES,
  ...FAMILY,
  ...JOBS,
  ...MARKETPLACE,
  ...MONEY_PROMISES,
  ...ROMANCE,
  ...THREATS,
];
