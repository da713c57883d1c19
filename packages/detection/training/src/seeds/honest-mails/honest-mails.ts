import { BANKING_MAILS } from './banking.ts';
import { ORDERS_MAILS } from './orders.ts';

/** Genuine mails of today in full length, numbers, small print and all. First line the subject. */
export const HONEST_MAILS: readonly string[] = [...BANKING_MAILS, ...ORDERS_MAILS];
