import { ADDRESSES } from './addresses.ts';
import { COMPANIES } from './companies.ts';
import { DATES } from './dates.ts';
import { GOODS } from './goods.ts';
import { HONEST_ADDRESSES } from './honest-addresses.ts';
import { HONEST_MAIL_BLOCKS } from './honest-mail-blocks.ts';
import { HONEST_MAIL_PARTS } from './honest-mail-parts.ts';
import { HONEST_SENDERS } from './honest-senders.ts';
import { LURE_PHRASES } from './lure-phrases.ts';
import { MESSAGE_PARTS } from './message-parts.ts';
import { MONEY } from './money.ts';
import { PEOPLE } from './people.ts';
import { SCAM_TALK_SLOTS } from './scam-talk.ts';

/** What stands for a name in braces in a template. */
export const SLOTS: Readonly<Record<string, readonly string[]>> = {
  ...COMPANIES,
  ...PEOPLE,
  ...MONEY,
  ...ADDRESSES,
  ...DATES,
  ...LURE_PHRASES,
  ...GOODS,
  ...MESSAGE_PARTS,
  ...HONEST_ADDRESSES,
  ...HONEST_MAIL_BLOCKS,
  ...HONEST_MAIL_PARTS,
  ...HONEST_SENDERS,
  ...SCAM_TALK_SLOTS,
};
