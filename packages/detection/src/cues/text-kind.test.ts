import { describe, expect, test } from 'vitest';
import { inWords } from '../wording/in-words.ts';
import { findCues } from './find-cues.ts';
import { readWords } from './read-words.ts';
import { findTextKind } from './text-kind.ts';

const kindOf = (text: string, channel?: 'call' | 'sms') =>
  findTextKind(findCues(readWords(text.toLowerCase())), channel);
const reasonsOf = (text: string) => kindOf(text).reasons.map((reason) => inWords(reason));

describe('the type of a suspicious message', () => {
  test.each([
    ['delivery_scam', 'Your parcel could not be delivered, pay the redelivery fee'],
    ['toll_or_fine_scam', 'You have an unpaid toll balance on your vehicle, pay today'],
    ['otp_request', 'Hey can you send me the 6 digit code you just got'],
    ['bank_impersonation', 'Wells Fargo alert: your debit card was used for a transaction'],
    ['account_takeover', 'Your Netflix subscription payment failed, update your account'],
    ['tax_scam', 'HMRC: you are owed a tax refund'],
    ['tech_support_scam', 'Your computer is infected, call Microsoft support'],
    ['family_emergency', 'Hi mum, I dropped my phone, this is my new number'],
    ['extortion', 'I recorded you through your webcam, pay in bitcoin or all your contacts see it'],
    ['crypto_scam', 'Join our trading platform for guaranteed returns on crypto'],
    ['job_scam', 'Part time remote job, earn up to 300 per day'],
    ['prize_scam', 'Congratulations you have won our lottery, claim your prize'],
    ['romance_scam', 'Hello my dear, I saw your profile, are you single'],
    ['insurance_or_debt_scam', 'We have been trying to reach you about your car extended warranty'],
    ['business_email_compromise', 'I am in a meeting, buy gift cards for clients and keep it confidential'],
  ])('is %s: %s', (kind, text) => {
    expect(kindOf(text).threatType).toBe(kind);
  });

  test('is unspecific when its words reveal nothing', () => {
    expect(kindOf('lorem ipsum dolor')).toMatchObject({
      threatType: 'suspicious_message',
      category: 'social_engineering',
      reasons: [],
    });
    expect(kindOf('lorem ipsum dolor', 'call').threatType).toBe('robocall_scam');
  });

  test('is a phone scam on the phone', () => {
    expect(kindOf('your bank account and your card are blocked', 'call').category).toBe('phone_scam');
    expect(kindOf('your bank account and your card are blocked', 'sms').category).toBe('phishing');
  });
});

describe('the reasons', () => {
  test('state what the message does, the strongest first, without its words', () => {
    expect(reasonsOf('Urgent: send me the code, or your account is suspended')).toEqual([
      'it asks for a one-time code',
      'it says that an account, a card, a number or a service is blocked or will be',
      'it creates urgency',
    ]);
  });

  test.each([
    'Your code is 1234. Never share this code with anyone',
    'Do not give this code to anyone',
    'We will never ask for your password',
    'Your password was changed',
    'We will never ask you to confirm your card number',
    'We tried to call you, and will call again',
    'Geben Sie den Code nicht weiter',
    'Ne communiquez jamais votre mot de passe',
    'No comparta nunca su clave',
    'Non comunicare mai la password',
    'Deel uw pincode nooit',
    'Nunca informe a sua senha',
    'Reply with your postal code',
    'Will pay the first part back on Monday',
  ])('do not include a request where none is made: %s', (text) => {
    expect(kindOf(text).reasons).toEqual([]);
  });

  test.each([
    ['it asks for a one-time code', 'I sent you a code by mistake, can you forward it'],
    ['it asks for a one-time code', 'Schick mir bitte den Code, den du bekommen hast'],
    ['it asks for a one-time code', 'Bitte den Code eingeben und weiterleiten'],
    ['it asks for credentials, or for personal or account details', 'Enter your card number'],
    ['it asks for credentials, or for personal or account details', 'Confirmez vos coordonnees bancaires'],
    ['it asks for a payment', 'Pague la tasa de aduana'],
    ['it asks for a payment', 'Paghi le spese di dogana'],
    [
      'it says that an account, a card, a number or a service is blocked or will be',
      'Uw rekening is geblokkeerd',
    ],
    ['its sender claims to have a new number or a broken or lost phone', 'Oi mae, troquei de numero'],
    ['it asks the person to call a number or press a key', 'If this was not you, call 0800 555 0199'],
    ['it asks for secrecy', 'Please do not tell anyone'],
  ])('include "%s": %s', (reason, text) => {
    expect(reasonsOf(text)).toContain(reason);
  });
});
