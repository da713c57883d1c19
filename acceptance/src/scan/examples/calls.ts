import type { ScanExample } from './scan-example.ts';

function call(name: string, content: string, expected: ScanExample['expected']): ScanExample {
  return { name, scan: { type: 'text', content, context: { channel: 'call' } }, expected };
}

const SCAM = { caught: true, categories: ['phone_scam'] } as const;

/** Transcripts as agencies describe the calls, in our own words. */
export const CALLS: readonly ScanExample[] = [
  call(
    'extended warranty of a car (FCC)',
    'Hello, this is the vehicle service department. We have been trying to reach you about your car extended warranty. You should have received a notice in the mail. This is your final courtesy call before we close out your file. Press 2 to be removed or press 1 to speak with a representative about your coverage.',
    { ...SCAM, types: ['insurance_or_debt_scam'] },
  ),
  call(
    'social security number suspended (SSA Office of the Inspector General)',
    'This call is from the Social Security Administration. Your social security number has been suspended due to suspicious activity in the state of Texas. A warrant has been issued for your arrest. To speak with a federal officer press one immediately. If you do not respond legal action will be taken against you.',
    { ...SCAM, types: ['tax_scam'] },
  ),
  call(
    'support of Microsoft (FTC)',
    'Hello, I am calling from Microsoft technical support. Your computer is infected with a virus and hackers have access to your bank account. Please go to your computer and install AnyDesk so that I can connect and remove it. Tell me the nine digit number that you see.',
    { ...SCAM, types: ['tech_support_scam'] },
  ),
  call(
    'order of an expensive phone (FTC, Amazon calls)',
    'This is Amazon customer service. A purchase of an iPhone for seven hundred ninety nine dollars has been charged to your account. If you did not authorize this order press 1 to speak to the fraud department and cancel this order.',
    SCAM,
  ),
  call(
    'interest rate of a credit card (FTC)',
    'Hello, this is an important message about your current credit card account. You are now eligible to lower your interest rates to as low as zero percent. This is your final notice. Press 1 now to speak with a live operator and lower your interest rate.',
    { ...SCAM, types: ['insurance_or_debt_scam', 'bank_impersonation'] },
  ),
  call(
    'grandchild in jail (FBI, grandparent scam)',
    'Grandma, it is me. I was in a car accident and I am in jail. Please do not tell mom and dad. My lawyer says I need nine thousand dollars for bail today. A courier will come to pick up the cash, or you can read him the numbers of gift cards.',
    { ...SCAM, types: ['family_emergency'] },
  ),
  call(
    'electricity cut off (Utilities United Against Scams)',
    'This is the billing department of your electric company. Your power will be disconnected within thirty minutes because of an unpaid bill. To avoid disconnection you must pay now with a prepaid card or Zelle. Press 1 to make a payment.',
    SCAM,
  ),
  call(
    'the bank wants the code (Financial Conduct Authority)',
    'Good afternoon, I am calling from the fraud department of your bank. Someone is trying to take money out of your account right now. To stop the transaction I need you to read me the one time code that we have just sent to your phone, and then move your money to a safe account.',
    { ...SCAM, types: ['otp_request', 'bank_impersonation'] },
  ),
];

export const HONEST_CALLS: readonly ScanExample[] = [
  call(
    'small talk about the weather and a garden',
    'So how has the weather been over there? Oh it rained all week, the garden loves it but the dog does not. Yeah, ours has been dry. Did you end up planting the tomatoes? We did, and some beans too, the kids water them every evening.',
    { caught: false },
  ),
  call(
    'an order of coffee',
    'Hi, can I get a large latte with oat milk and a blueberry muffin? Sure, would you like the muffin warmed up? Yes please. That will be ready in five minutes at the counter.',
    { caught: false },
  ),
  call(
    'a garage about a repair',
    'Hi, this is Dave from the garage. Your car is ready, we changed the brake pads and the oil. You can pick it up any time until six. Great, thank you, I will come by after work.',
    { caught: false },
  ),
];
