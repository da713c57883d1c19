import type { ScanExample } from './scan-example.ts';

/** Text messages, mails and chats as authorities and newspapers have described them, in our own words. */
export const MESSAGES: readonly ScanExample[] = [
  {
    name: 'parcel held for an incomplete address (USPS Inspection Service)',
    scan: {
      type: 'text',
      content:
        'USPS: Your package has arrived at our warehouse and cannot be delivered because the address is incomplete. Please confirm your address within 24 hours: hxxps://usps[.]com-redeliverhelp[.]top/us',
      context: { channel: 'sms', sender: '+15550142' },
    },
    expected: { caught: true, types: ['delivery_scam'], categories: ['phishing'] },
  },
  {
    name: 'redelivery fee (Royal Mail, Ofcom)',
    scan: {
      type: 'text',
      content:
        'Royal Mail: we tried to deliver your parcel today but nobody was in. To book a redelivery pay the 1.99 GBP fee at royalmail-rebook-parcel.info/pay',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['delivery_scam'] },
  },
  {
    name: 'customs duty on a shipment (DHL fraud page)',
    scan: {
      type: 'text',
      content:
        'DHL: Your shipment is on hold because customs fees of 2.50 EUR are unpaid. Pay now to avoid return to sender: http://dhl-customs-clearing.xyz/track',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['delivery_scam'] },
  },
  {
    name: 'unpaid road toll (FBI IC3, April 2024)',
    scan: {
      type: 'text',
      content:
        'Turnpike Toll Services: we noticed an outstanding toll amount of $12.51 on your record. To avoid a late fee of $50.00, visit https://turnpike-tollservices-pay.top to settle your balance.',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['toll_or_fine_scam'] },
  },
  {
    name: 'traffic ticket of the DMV (state DMV warnings, 2025)',
    scan: {
      type: 'text',
      content:
        'DMV Final Notice: enforcement of your unpaid traffic ticket begins tomorrow. If you do not pay today your vehicle registration will be suspended and you may be prosecuted. Pay: https://dmv.gov-etix.cc/pay',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['toll_or_fine_scam'] },
  },
  {
    name: 'bank asks to confirm a transfer (FTC, bank impersonation texts)',
    scan: {
      type: 'text',
      content:
        'Bank of America Fraud Alert: Did you attempt a Zelle payment of $1,260.00? Reply YES or NO. If you did not authorize this transaction, verify your account now at boa-secure-alerts.com/verify',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['bank_impersonation'] },
  },
  {
    name: 'new payee added (UK Finance)',
    scan: {
      type: 'text',
      content:
        'HSBC ALERT: a new payee MR J WALKER was added from a new device. If this was NOT you, please visit https://hsbc.payee-cancel-request.com immediately',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['bank_impersonation'] },
  },
  {
    name: 'KYC update (Reserve Bank of India)',
    scan: {
      type: 'text',
      content:
        'Dear customer your SBI account will be blocked today. Please update your PAN and KYC details immediately click http://sbi-kyc-update.online',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['bank_impersonation', 'account_takeover'] },
  },
  {
    name: 'streaming account on hold (FTC, Netflix)',
    scan: {
      type: 'text',
      content:
        'Netflix: we could not process your payment and your subscription is suspended. Update your payment details now to keep watching: http://netflix-billing-renew.info',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['account_takeover'] },
  },
  {
    name: 'Apple ID locked (Apple support pages)',
    scan: {
      type: 'text',
      content:
        'Your Apple ID has been locked for security reasons due to unusual activity. Verify your identity within 24 hours or your account will be permanently deleted: apple-id-unlock.support-check.com',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['account_takeover'] },
  },
  {
    name: 'tax refund (HMRC list of scams)',
    scan: {
      type: 'text',
      content:
        'HMRC: after the last calculation of your tax you are owed a tax refund of 276.50 GBP. Claim your refund here: https://hmrc-refund-claims.online',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['tax_scam'] },
  },
  {
    name: 'stimulus payment (IRS Dirty Dozen)',
    scan: {
      type: 'text',
      content:
        'IRS: You are eligible for a $1,400 economic stimulus payment. To receive it, confirm your Social Security number and bank account at irs-stimulus-claim.com before the deadline',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['tax_scam'] },
  },
  {
    name: 'hi mum, new number (Action Fraud)',
    scan: {
      type: 'text',
      content:
        'Hi mum, I dropped my phone down the toilet, this is my new number, save it and text me on WhatsApp. I need to pay a bill today urgently, can you transfer the money for me please?',
      context: { channel: 'chat' },
    },
    expected: { caught: true, types: ['family_emergency'] },
  },
  {
    name: 'hi mum in German (Bundeskriminalamt)',
    scan: {
      type: 'text',
      content:
        'Hallo Mama, mein Handy ist kaputt, das ist meine neue Nummer. Kannst du mir bitte auf WhatsApp schreiben? Ich muss dringend eine Rechnung bezahlen.',
      context: { channel: 'sms' },
    },
    expected: { caught: true },
  },
  {
    name: 'part-time job with simple tasks (FTC, task scams)',
    scan: {
      type: 'text',
      content:
        'Hello, I am Emma, a recruiter at Indeed. We are hiring for a remote part time job. You can earn up to $300 per day with simple tasks, no experience needed. Contact us on WhatsApp to start.',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['job_scam'] },
  },
  {
    name: 'prize from a shop (FTC, gift and prize texts)',
    scan: {
      type: 'text',
      content:
        'Congratulations! You have been selected as the winner of a $1000 Walmart gift card. Claim your prize today at free-gift-winners.club/claim before it expires',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['prize_scam'] },
  },
  {
    name: 'investment group (SEC and FCA warnings)',
    scan: {
      type: 'text',
      content:
        'Our crypto trading group made members 300% last month. Guaranteed returns, withdraw anytime. Join the Telegram channel now and double your bitcoin, only a few spots left!',
      context: { channel: 'chat' },
    },
    expected: { caught: true, types: ['crypto_scam'] },
  },
  {
    name: 'wallet validation (Chainalysis, seed phrase theft)',
    scan: {
      type: 'text',
      content:
        'Your MetaMask wallet will be suspended. To keep access, validate your wallet with your 12 word recovery phrase at metamask-validate.app/restore within 24 hours',
      context: { channel: 'email' },
    },
    expected: { caught: true, types: ['crypto_scam', 'account_takeover'] },
  },
  {
    name: 'one-time code for a marketplace (FTC, Google Voice scam)',
    scan: {
      type: 'text',
      content:
        'I want to buy your couch but there are so many scammers. I just sent a verification code to your phone, please send me the 6 digit code so I know you are real',
      context: { channel: 'chat' },
    },
    expected: { caught: true, types: ['otp_request', 'marketplace_scam'] },
  },
  {
    name: 'student loan forgiveness by text (FTC)',
    scan: {
      type: 'text',
      content:
        'FINAL NOTICE: your student loan has been flagged as eligible for loan forgiveness. Apply before the program ends. Call now 1-888-555-0119 or visit studentaid-relief-now.com',
      context: { channel: 'sms' },
    },
    expected: { caught: true },
  },
  {
    name: 'blackmail by mail (FBI, sextortion)',
    scan: {
      type: 'text',
      content:
        'I hacked your device and recorded you through your webcam while you visited adult sites. If you do not send $950 in bitcoin to my wallet within 48 hours, I will send the video to all your contacts.',
      context: { channel: 'email' },
    },
    expected: { caught: true, types: ['extortion'] },
  },
  {
    name: 'mail from the boss about gift cards (FBI IC3, business e-mail compromise)',
    scan: {
      type: 'text',
      content:
        'Are you available? I am in a meeting and cannot talk. I need you to buy gift cards for some clients urgently, scratch the back and send me pictures of the codes. Keep this confidential, you will be reimbursed.',
      context: { channel: 'email', sender: 'ceo.office@mail-exec.example' },
    },
    expected: { caught: true, types: ['business_email_compromise'] },
  },
  {
    name: 'mailbox is full (credential phishing, CISA)',
    scan: {
      type: 'text',
      content:
        'Dear user, your mailbox is full and your password expires today. To keep receiving messages verify your account: http://webmail-upgrade.weebly.com/login. Failure to do so will result in deactivation of your account. IT Help Desk',
      context: { channel: 'email' },
    },
    expected: { caught: true, types: ['account_takeover'] },
  },
  {
    name: 'antivirus renewal with a number to call (FTC, Geek Squad and Norton mails)',
    scan: {
      type: 'text',
      content:
        'Thank you for your order. Your Norton 360 subscription has been auto renewed and $349.99 will be charged to your account today. If you did not authorize this, call our support at 1-808-555-0137 within 24 hours to cancel and get a refund.',
      context: { channel: 'email' },
    },
    expected: { caught: true, types: ['call_back_scam', 'tech_support_scam', 'account_takeover'] },
  },
  {
    name: 'inheritance abroad (advance fee, Action Fraud)',
    scan: {
      type: 'text',
      content:
        'Dear friend, I am barrister James Cole, attorney to a late client who died without next of kin and left 10.5 million dollars. I seek your consent to present you as the beneficiary of the fund. Reply with your full name, address and bank account details. Strictly confidential.',
      context: { channel: 'email' },
    },
    expected: { caught: true, types: ['loan_scam'] },
  },
  {
    name: 'homoglyphs in a bank alert (Unicode security guidance)',
    scan: {
      type: 'text',
      content:
        'Сhаse Bаnk: yоur ассоunt has been lосked due to unusual activity. Vеrify yоur identity immediately: https://chase-verify-locked.com/login',
      context: { channel: 'sms' },
    },
    expected: { caught: true, types: ['bank_impersonation', 'account_takeover'] },
  },
];

/** Messages that are what they seem, several of them close to scams in their words. */
export const HONEST_MESSAGES: readonly ScanExample[] = [
  {
    name: 'a one-time code with its warning',
    scan: {
      type: 'text',
      content:
        'Your verification code is 482913. It expires in 10 minutes. Never share this code with anyone.',
      context: { channel: 'sms' },
    },
    expected: { caught: false },
  },
  {
    name: 'dinner with family',
    scan: {
      type: 'text',
      content: 'Running ten minutes late, start the pasta without me and save me a seat x',
    },
    expected: { caught: false },
  },
  {
    name: 'an appointment at the dentist',
    scan: {
      type: 'text',
      content:
        'Reminder: you have an appointment with Dr Lewis on Tuesday 14 May at 09:30. Reply C to confirm or R to reschedule.',
      context: { channel: 'sms' },
    },
    expected: { caught: false },
  },
  {
    name: 'a delivery notice without a demand',
    scan: {
      type: 'text',
      content:
        'Your order has been delivered and left with your neighbour at number 12. Thank you for shopping with us.',
      context: { channel: 'sms' },
    },
    expected: { caught: false },
  },
  {
    name: 'colleagues about a review',
    scan: {
      type: 'text',
      content:
        'Hi Tom, I pushed the changes for the login page. Could you review the pull request when you have a moment? The tests pass on my machine.',
      context: { channel: 'email' },
    },
    expected: { caught: false },
  },
  {
    name: 'a school about a trip',
    scan: {
      type: 'text',
      content:
        'Dear parents, the museum trip of class 4b takes place next Thursday. Please give your child a packed lunch and a rain jacket. We will be back at three.',
      context: { channel: 'email' },
    },
    expected: { caught: false },
  },
  {
    name: 'friends about money they owe each other',
    scan: {
      type: 'text',
      content:
        'Thanks for dinner yesterday! I will give you the 20 back on Friday when I see you at practice.',
    },
    expected: { caught: false },
  },
  {
    name: 'a table at a restaurant',
    scan: {
      type: 'text',
      content:
        'Hello, I would like to book a table for four on Saturday evening at seven. Do you have something by the window? Yes, that is no problem. Can I have your name please?',
      context: { channel: 'call' },
    },
    expected: { caught: false },
  },
  {
    name: 'a mother who asks how it goes',
    scan: {
      type: 'text',
      content: 'How was the exam? Call me when you are on the bus, dad is making soup tonight.',
    },
    expected: { caught: false },
  },
  {
    name: 'a mail about a meeting',
    scan: {
      type: 'text',
      content:
        'The meeting on the budget moves to Wednesday at 2 pm in room 301. I attach the agenda; please add your points until tomorrow evening.',
      context: { channel: 'email' },
    },
    expected: { caught: false },
  },
];
