import { parsePhrases } from './parse-phrases.ts';

/**
 * How a message manipulates a person. Each reason is a clause that can follow "because". Phrases are in lower
 * case, words only.
 */
export const TACTICS = {
  one_time_code: {
    reason: 'it asks for a one-time code',
    phrases: parsePhrases(``),
  },
  irrevocable_payment: {
    reason: 'it asks for an irrevocable payment',
    phrases: parsePhrases(`
      gift card, gift cards, itunes card, steam card, steam cards, google play card, apple card, bitcoin,
      btc, usdt, ethereum, crypto wallet, wire transfer, western union, moneygram, zelle, cash app,
      cashapp, venmo, bank transfer, prepaid card, scratch the back, bitcoin atm`),
  },
  credentials: {
    reason: 'it asks for credentials or personal details',
    phrases: parsePhrases(`
      password, log in, login, sign in, your pin, pin number, verify your identity, card number,
      verify your account, verify your information, verify your details, confirm your details, cvv,
      confirm your identity, confirm your account, confirm your information, update your details,
      update your information, update your account, update your address, update your billing,
      update your payment, social security number, date of birth, seed phrase, recovery phrase, verify now,
      account details, bank details, validate your account, medicare number`),
  },
  fee: {
    reason: 'it asks for a fee',
    phrases: parsePhrases(`
      processing fee, delivery fee, redelivery fee, customs fee, customs fees, customs duty, unpaid,
      shipping fee, activation fee, release fee, small fee, handling fee, administration fee,
      outstanding balance, outstanding toll, late fee, late fees, upfront fee, application fee,
      transfer fee, registration fee, import duty, pay the fee, fee of, pay now`),
  },
  haste: {
    reason: 'it creates urgency',
    phrases: parsePhrases(`
      urgent, urgently, immediately, asap, act now, final notice, last chance, right away, act fast,
      final reminder, final warning, within 24 hours, within 48 hours, within 12 hours, in 24 hours,
      24 hours, 48 hours, expires today, today only, as soon as possible, before it is too late, hurry,
      immediate attention, time sensitive, without delay, by tonight, last reminder, final attempt,
      right now, expire today, expiring, only a few, spots left, do not ignore, do not hang up,
      do not disregard`),
  },
  threat: {
    reason: 'it threatens consequences',
    phrases: parsePhrases(`
      suspended, suspension, suspend, legal action, arrest, arrested, warrant, lawsuit, penalty, penalties,
      terminated, deactivated, prosecution, prosecuted, disconnected, disconnection, locked, restricted,
      permanently deleted, will be closed, will be blocked, be returned to sender, frozen,
      returned to the sender, license will be, legal enforcement, court, jail, deported, blocked, on hold`),
  },
  call_back: {
    reason: 'it asks the person to call a number or press a key',
    phrases: parsePhrases(`
      press 1, press one, press 2, press 9, call us, call now, call back, call this number, toll free,
      call immediately, call our, please call, call me back, give us a call, our number is,
      call the number, call support, return the call, return our call, contact us at, call to, call on,
      call microsoft`),
  },
  secrecy: {
    reason: 'it asks for secrecy',
    phrases: parsePhrases(`
      keep this between us, between us, do not tell, dont tell, strictly confidential, confidential,
      do not mention, dont mention, keep it secret, keep this private, in a meeting, cannot talk,
      cant talk`),
  },
  elsewhere: {
    reason: 'it moves the conversation to another messenger',
    phrases: parsePhrases(`
      whatsapp, telegram, add me, on signal, wechat, line id, text me on, message me on, contact me on,
      save my number, new number`),
  },
  vague_greeting: {
    reason: 'it uses a generic greeting',
    phrases: parsePhrases(`
      dear customer, dear user, valued customer, dear client, dear member, dear sir madam, dear friend`),
  },
} as const satisfies Record<string, { reason: string; phrases: readonly string[] }>;

export type Tactic = keyof typeof TACTICS;
