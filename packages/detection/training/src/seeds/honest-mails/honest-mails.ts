import { ACCOUNTS_MAILS } from './accounts.ts';
import { BANKING_MAILS } from './banking.ts';
import { FIRMS_MAILS } from './firms.ts';
import { NEWSLETTERS_MAILS } from './newsletters.ts';
import { NOTIFICATIONS_MAILS } from './notifications.ts';
import { OFFICES_MAILS } from './offices.ts';
import { ORDERS_MAILS } from './orders.ts';
import { PERSONAL_MAILS } from './personal.ts';
import { PUBLIC_LIFE_MAILS } from './public-life.ts';
import { SMALL_FIRMS_MAILS } from './small-firms.ts';
import { SOFTWARE_MAILS } from './software.ts';
import { TRAVEL_MAILS } from './travel.ts';
import { WORK_MAILS } from './work.ts';

/** Genuine mails of today in full length, numbers, small print and all. First line the subject. */
export const HONEST_MAILS: readonly string[] = [
  ...ACCOUNTS_MAILS,
  ...BANKING_MAILS,
  ...FIRMS_MAILS,
  ...NEWSLETTERS_MAILS,
  ...NOTIFICATIONS_MAILS,
  ...OFFICES_MAILS,
  ...ORDERS_MAILS,
  ...PERSONAL_MAILS,
  ...PUBLIC_LIFE_MAILS,
  ...SMALL_FIRMS_MAILS,
  ...SOFTWARE_MAILS,
  ...TRAVEL_MAILS,
  ...WORK_MAILS,
];
