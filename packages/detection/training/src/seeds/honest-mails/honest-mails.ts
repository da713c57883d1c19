import { ACCOUNTS_MAILS } from './accounts.ts';
import { BANKING_MAILS } from './banking.ts';
import { ORDERS_MAILS } from './orders.ts';
import { TRAVEL_MAILS } from './travel.ts';

/** Genuine mails of today in full length, numbers, small print and all. First line the subject. */
export const HONEST_MAILS: readonly string[] = [
  ...ACCOUNTS_MAILS,
  ...BANKING_MAILS,
  ...ORDERS_MAILS,
  ...TRAVEL_MAILS,
];
