import type { ThreatType } from '../threat-type.ts';
import { parsePhrases } from './parse-phrases.ts';

/**
 * Phrases that name the specific type of a message that is already suspicious. They do not change its score:
 * "parcel" occurs in genuine messages too. Phrases are in lower case, words only; `strong` ones count three
 * times, since they are rarely about anything else.
 */
export const TOPICS: Partial<Record<ThreatType, { strong: readonly string[]; weak: readonly string[] }>> = {
  delivery_scam: {
    strong: parsePhrases(`
      your package, your parcel, redelivery, delivery attempt, usps, fedex, dhl, royal mail, evri, hermes,
      failed delivery, missed delivery, warehouse, incomplete address, correos, dpd, paket, colis, paquete,
      shipment, australia post, canada post, la poste, post office, tracking number, missing house number`),
    weak: parsePhrases(`
      package, parcel, delivery, deliver, delivered, shipping, courier, customs, address, reschedule, ups`),
  },
  toll_or_fine_scam: {
    strong: parsePhrases(`
      toll, tolls, ezpass, e zpass, e zpassny, sunpass, fastrak, toll balance, toll charge, unpaid toll,
      parking fine, parking charge, traffic violation, penalty charge, traffic ticket, dmv, speeding,
      parking ticket`),
    weak: parsePhrases(`
      vehicle, license, licence, fine, parking, registration, driver`),
  },
  otp_request: {
    strong: parsePhrases(`
      send me the code, share the code, read me the code, code you received`),
    weak: parsePhrases(``),
  },
  tax_scam: {
    strong: parsePhrases(`
      irs, hmrc, tax refund, tax rebate, internal revenue, back taxes, tax return, ato, cra, mygov,
      social security administration, your social security, your social, stimulus, tax office,
      government grant, council tax, tax debt, tax evasion, social security number has been,
      federal agents`),
    weak: parsePhrases(`
      tax, taxes, rebate, government, federal, benefit, officer, revenue, treasury`),
  },
  bank_impersonation: {
    strong: parsePhrases(`
      your bank, bank account, wells fargo, chase, bank of america, hsbc, barclays, lloyds, natwest,
      santander, citibank, paypal, your card, debit card, credit card, zelle payment, new payee,
      fraud department, sbi, kyc, capital one, us bank, online banking, mobile banking,
      unusual transaction, did you authorize, fraud team, revolut, monzo, halifax, nationwide, payee,
      unauthorized transaction, did you attempt, safe account`),
    weak: parsePhrases(`
      bank, card, transaction, payment, transfer, debit, charge, charged, credit, purchase, fraud`),
  },
  account_takeover: {
    strong: parsePhrases(`
      apple id, icloud, netflix, amazon account, your amazon, microsoft account, google account,
      facebook account, your account has been, your account is, account locked, account suspended, mailbox,
      unusual sign in, spotify, your subscription, coinbase account, office 365, password expires,
      password will expire, storage is full, instagram account, whatsapp account, sign in attempt,
      unusual activity, prime membership, mailbox is full`),
    weak: parsePhrases(`
      account, login, verify, password, suspended, locked, subscription, membership, profile, email`),
  },
  tech_support_scam: {
    strong: parsePhrases(`
      windows, your computer, virus, technical support, tech support, microsoft support, anydesk,
      teamviewer, remote access, infected, mcafee, norton, geek squad, firewall, hackers, ip address,
      your device has, security alert, windows license, trojan, quick support, windows defender,
      let us connect`),
    weak: parsePhrases(`
      computer, device, support, malware, antivirus, renewal, technician, refund department, install`),
  },
  family_emergency: {
    strong: parsePhrases(`
      hi mum, hi mom, hi dad, hello mum, hello mom, hey mum, hey mom, its me mum, grandma, grandpa,
      grandson, broke my phone, dropped my phone, lost my phone, phone is broken, new phone number, bail,
      granddaughter, hallo mama, hallo papa, mein handy, hola mama, car accident, this is my new number,
      my new number`),
    weak: parsePhrases(`
      mum, mom, dad, accident, hospital, lawyer, son, daughter, emergency`),
  },
  extortion: {
    strong: parsePhrases(`
      your webcam, recorded you, recorded a video, adult sites, all your contacts, intimate, your secret,
      ransom, hacked your, i hacked, your device was, send to all, your browsing, nude, nudes,
      your family and friends, compromising, masturbating, your passwords, my malware, expose you,
      full access to your`),
    weak: parsePhrases(`
      bitcoin, video, contacts, leak, publish, hacker, wallet, pay`),
  },
  crypto_scam: {
    strong: parsePhrases(`
      crypto, cryptocurrency, bitcoin, btc, usdt, ethereum, airdrop, trading platform, forex, metamask,
      coinbase, guaranteed returns, guaranteed profit, investment plan, double your, binance, seed phrase,
      wallet, token sale, trading signals, stock group, stock tips, daily profit, passive income,
      investment opportunity`),
    weak: parsePhrases(`
      invest, investment, profit, profits, trading, returns, mining, stocks, withdraw`),
  },
  job_scam: {
    strong: parsePhrases(`
      part time job, part time, work from home, remote job, job offer, your resume, recruiter, hiring,
      daily salary, per day, hr manager, online job, remote position, mystery shopper, data entry,
      flexible hours, product optimizer, recruitment, job opportunity, earn up to, paid training,
      simple tasks, remote work, no experience`),
    weak: parsePhrases(`
      job, salary, earn, income, work, position, hours, interview, tasks, paid`),
  },
  prize_scam: {
    strong: parsePhrases(`
      you have won, you won, winner, congratulations, claim your, prize, lottery, sweepstakes, free gift,
      reward, selected to receive, been selected, gift voucher, cash prize, jackpot, lucky draw,
      free iphone, walmart gift, guaranteed cash, bonus caller, free entry, to claim, your reward, raffle,
      giveaway, unclaimed`),
    weak: parsePhrases(`
      won, claim, free, gift, award, bonus, voucher, points, redeem, survey`),
  },
  romance_scam: {
    strong: parsePhrases(`
      wrong number, are you single, nice to meet you, i saw your profile, lonely, looking for a man,
      my dear, darling, soulmate, we met at, is this, destiny, make friends, be friends, dating, fate,
      army doctor, my love, get to know you, sexy, horny, hookup, chat with me, beautiful women, deployed,
      honey`),
    weak: parsePhrases(`
      single, love, friend, friends, photos, meet, golf, dinner, cute, girl, lady, widow`),
  },
  loan_scam: {
    strong: parsePhrases(`
      loan, loans, pre approved, preapproved, cash advance, bad credit, no credit check, inheritance,
      next of kin, million dollars, million usd, beneficiary, fund transfer, compensation fund, atm card,
      barrister, diplomat, consignment, deposit into your account, payday, late client`),
    weak: parsePhrases(`
      approved, credit, funds, fund, cash, borrow, apply, usd, foreign`),
  },
  insurance_or_debt_scam: {
    strong: parsePhrases(`
      extended warranty, car warranty, vehicle warranty, factory warranty, auto warranty, student loan,
      student loans, health insurance, debt relief, interest rate, interest rates, lower your, medicare,
      solar, electric bill, business listing, google listing, credit card debt, loan forgiveness,
      final expense, life insurance, open enrollment, health care, power bill, utility, timeshare,
      back brace, pain cream, home security system`),
    weak: parsePhrases(`
      warranty, insurance, debt, coverage, rate, eligible, qualify, benefits, savings, bill`),
  },
  charity_scam: {
    strong: parsePhrases(`
      donate, donation, donations, charity, orphans, earthquake victims, relief fund, police association`),
    weak: parsePhrases(`
      victims, help, children, war, fund, foundation, veterans, firefighters`),
  },
  business_email_compromise: {
    strong: parsePhrases(`
      new bank details, change of bank, updated bank details, attached invoice, overdue invoice,
      direct deposit, payroll, are you at your desk, are you available, gift cards for, i am in a meeting,
      im in a meeting, wire the, ceo, vendor payment, payment instructions, swift, remittance, quick task,
      our bank account, supplier`),
    weak: parsePhrases(`
      invoice, payment, discreet, confidential, transfer, meeting, task, vendor, clients, staff`),
  },
  marketplace_scam: {
    strong: parsePhrases(`
      your listing, still available, marketplace, ebay, deposit to secure, rental, landlord, craigslist,
      vinted, your ad, my mover, cashiers check, certified check, shipping agent, buyer has paid,
      receive the payment, overpaid`),
    weak: parsePhrases(`
      item, seller, buyer, rent, apartment, deposit, sell, selling, pickup, ad`),
  },
  call_back_scam: {
    strong: parsePhrases(`
      order has been placed, if you did not, if this was not you, auto renewed, auto renewal,
      will be charged, has been charged, invoice number, cancel this order, to cancel, to dispute,
      missed call, voicemail, press 1 to`),
    weak: parsePhrases(`
      order, cancel, call, renewed, helpline, customer care, toll free`),
  },
  unwanted_advertising: {
    strong: parsePhrases(`
      viagra, cialis, casino, betting, weight loss, cheap, ringtone, ringtones, pharmacy, rolex,
      unsubscribe, opt out, to stop, reply stop, limited time, txt stop, per msg, free spins, slots, cbd,
      keto, replica, vote, campaign, special offer, discount, off your`),
    weak: parsePhrases(`
      offer, sale, buy, deal, stop, text, save, subscribe, click`),
  },
};
