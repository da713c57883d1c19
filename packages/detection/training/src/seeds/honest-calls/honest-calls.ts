import { ANNOUNCEMENTS } from './announcements.ts';
import { FIRM_ANNOUNCEMENTS } from './firm-announcements.ts';
import { SERVICE_DIALOGUES } from './service-dialogues.ts';
import { VOICEMAILS } from './voicemails.ts';

/** Calls of genuine firms, offices and families, also recorded ones. */
export const HONEST_CALLS: readonly string[] = [
  ...ANNOUNCEMENTS,
  ...FIRM_ANNOUNCEMENTS,
  ...VOICEMAILS,
  ...SERVICE_DIALOGUES,
];
