import { FAMILY } from './family.ts';
import { MARKETPLACE } from './marketplace.ts';
import { ROMANCE } from './romance.ts';

/** Scams as they are worded today, mostly without a link: talk, mails and calls. */
export const SCAM_TALK: readonly string[] = [...ROMANCE, ...FAMILY, ...MARKETPLACE];
