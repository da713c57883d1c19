import { ANNOUNCEMENTS } from './announcements.ts';

/** Calls of genuine firms, offices and families, also recorded ones. */
export const HONEST_CALLS: readonly string[] = [...ANNOUNCEMENTS];
