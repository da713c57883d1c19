import { ACCOUNTS } from './accounts.ts';
import { APPOINTMENTS } from './appointments.ts';
import { BANKS } from './banks.ts';
import { BILLS } from './bills.ts';
import { CODES } from './codes.ts';
import { DELIVERIES } from './deliveries.ts';
import { FAMILY } from './family.ts';
import { FRENCH_AND_SPANISH } from './french-and-spanish.ts';
import { GERMAN_AND_DUTCH } from './german-and-dutch.ts';
import { OFFERS_BY_TEXT } from './offers.ts';
import { PORTUGUESE_AND_ITALIAN } from './portuguese-and-italian.ts';
import { PUBLIC_NOTICES } from './public-notices.ts';
import { RECEIPTS } from './receipts.ts';
import { SHOPS } from './shops.ts';
import { TRAVEL } from './travel.ts';
import { WARNINGS } from './warnings.ts';
import { WORK } from './work.ts';

/** Short messages of today's genuine senders, many of them near to what scams imitate. */
export const HONEST_MESSAGES: readonly string[] = [
  ...CODES,
  ...BANKS,
  ...DELIVERIES,
  ...APPOINTMENTS,
  ...BILLS,
  ...ACCOUNTS,
  ...RECEIPTS,
  ...SHOPS,
  ...OFFERS_BY_TEXT,
  ...TRAVEL,
  ...PUBLIC_NOTICES,
  ...WARNINGS,
  ...WORK,
  ...FAMILY,
  ...GERMAN_AND_DUTCH,
  ...FRENCH_AND_SPANISH,
  ...PORTUGUESE_AND_ITALIAN,
];
