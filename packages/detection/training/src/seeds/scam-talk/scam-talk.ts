import { ROMANCE } from './romance.ts';

/** Scams as they are worded today, mostly without a link: talk, mails and calls. */
export const SCAM_TALK: readonly string[] = [...ROMANCE];
