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
      your package, your parcel, redelivery, delivery attempt, usps, fedex, dhl, royal mail, evri,
      hermes, failed delivery, missed delivery, warehouse, incomplete address, correos, dpd, paket,
      colis, paquete, shipment, australia post, canada post, la poste, post office, tracking number,
      missing house number, ihr paket, ihre sendung, paket konnte nicht, zollgebuhr, zustellung,
      lieferversuch, votre colis, frais de livraison, colissimo, chronopost, mondial relay, su paquete,
      su envio, punto de recogida, il tuo pacco, il suo pacco, pacco, spedizione, poste italiane,
      giacenza, uw pakket, je pakket, pakketje, postnl, bezorging, sua encomenda, encomenda, ctt, pacote`),
    weak: parsePhrases(`
      package, parcel, delivery, deliver, delivered, shipping, courier, customs, address, reschedule,
      ups, lieferung, adresse, zoll, livraison, livreur, douane, entrega, aduana, consegna, corriere,
      dogana, bezorger, alfandega, morada`),
  },
  toll_or_fine_scam: {
    strong: parsePhrases(`
      toll, tolls, ezpass, e zpass, e zpassny, sunpass, fastrak, toll balance, toll charge, unpaid toll,
      parking fine, parking charge, traffic violation, penalty charge, traffic ticket, dmv, speeding,
      parking ticket, bussgeld, strafzettel, mautgebuhr, antai, amende, contravention, peage, multa de
      trafico, dgt, multas, multa, pedaggio, contravvenzione, boete, cjib, verkeersboete, portagem,
      coima`),
    weak: parsePhrases(`
      vehicle, license, licence, fine, parking, registration, driver, fahrzeug, vehicule, vehiculo,
      veicolo, voertuig, veiculo, stationnement`),
  },
  otp_request: {
    strong: parsePhrases(`
      send me the code, share the code, read me the code, code you received, schick mir den code, code
      den du, envoie moi le code, code que tu as recu, mandame el codigo, codigo que te, mandami il
      codice, codice che hai ricevuto, stuur me de code, code die je, manda o codigo, codigo que recebeu`),
    weak: parsePhrases(``),
  },
  tax_scam: {
    strong: parsePhrases(`
      irs, hmrc, tax refund, tax rebate, internal revenue, back taxes, tax return, ato, cra, mygov,
      social security administration, your social security, your social, stimulus, tax office,
      government grant, council tax, tax debt, tax evasion, social security number has been, federal
      agents, steuererstattung, finanzamt, elster, steuerbescheid, impots, remboursement d impot, dgfip,
      agencia tributaria, hacienda, declaracion de la renta, agenzia delle entrate, inps, rimborso
      fiscale, belastingdienst, belastingteruggave, belastingschuld, receita federal, autoridade
      tributaria, irpf, ameli, assurance maladie, carte vitale, seguranca social`),
    weak: parsePhrases(`
      tax, taxes, rebate, government, federal, benefit, officer, revenue, treasury, steuer, rente,
      impot, fiscal, impuesto, imposta, fisco, belasting, toeslag, imposto, financas`),
  },
  bank_impersonation: {
    strong: parsePhrases(`
      your bank, bank account, wells fargo, chase, bank of america, hsbc, barclays, lloyds, natwest,
      santander, citibank, paypal, your card, debit card, credit card, zelle payment, new payee, fraud
      department, sbi, kyc, capital one, us bank, online banking, mobile banking, unusual transaction,
      did you authorize, fraud team, revolut, monzo, halifax, nationwide, payee, unauthorized
      transaction, did you attempt, safe account, ihre bank, sparkasse, volksbank, commerzbank,
      postbank, pushtan, bankkonto, kreditkarte, votre banque, carte bancaire, credit agricole, banque
      postale, bnp paribas, societe generale, su banco, bbva, caixabank, bizum, cuenta bancaria, tu
      tarjeta, su tarjeta, la sua banca, intesa, unicredit, poste pay, postepay, conto corrente, la sua
      carta, uw bank, ing, rabobank, abn amro, betaalpas, bankrekening, rekeningnummer, seu banco,
      caixa, itau, bradesco, nubank, millennium, mb way, conta bancaria`),
    weak: parsePhrases(`
      bank, card, transaction, payment, transfer, debit, charge, charged, credit, purchase, fraud,
      konto, karte, uberweisung, banque, compte, virement, cuenta, tarjeta, transferencia, conto, carta,
      bonifico, rekening, betaling, conta, cartao, pagamento, banco`),
  },
  account_takeover: {
    strong: parsePhrases(`
      apple id, icloud, netflix, amazon account, your amazon, microsoft account, google account,
      facebook account, your account has been, your account is, account locked, account suspended,
      mailbox, unusual sign in, spotify, your subscription, coinbase account, office 365, password
      expires, password will expire, storage is full, instagram account, whatsapp account, sign in
      attempt, unusual activity, prime membership, mailbox is full, ihr konto wurde, kundenkonto, ihr
      abonnement, votre abonnement, votre compte, su cuenta ha sido, tu suscripcion, su suscripcion, il
      tuo account, il suo account, abbonamento, uw account, je account, uw abonnement, sua conta foi,
      sua conta, assinatura`),
    weak: parsePhrases(`
      account, login, verify, password, suspended, locked, subscription, membership, profile, email,
      passwort, kennwort, anmelden, abo, mot de passe, identifiant, contrasena, acceso, accesso,
      wachtwoord, inloggen, senha, acesso`),
  },
  tech_support_scam: {
    strong: parsePhrases(`
      windows, your computer, virus, technical support, tech support, microsoft support, anydesk,
      teamviewer, remote access, infected, mcafee, norton, geek squad, firewall, hackers, ip address,
      your device has, security alert, windows license, trojan, quick support, windows defender, let us
      connect, ihr computer, fernwartung, technischer support, votre ordinateur, support technique, su
      ordenador, soporte tecnico, il suo computer, assistenza tecnica, uw computer, technische dienst,
      seu computador, suporte tecnico`),
    weak: parsePhrases(`
      computer, device, support, malware, antivirus, renewal, technician, refund department, install,
      infiziert, viren, ordinateur, ordenador, dispositivo, computador, apparaat`),
  },
  family_emergency: {
    strong: parsePhrases(`
      hi mum, hi mom, hi dad, hello mum, hello mom, hey mum, hey mom, its me mum, grandma, grandpa,
      grandson, broke my phone, dropped my phone, lost my phone, phone is broken, new phone number,
      bail, granddaughter, hallo mama, hallo papa, mein handy, hola mama, car accident, this is my new
      number, my new number, neue nummer, neue handynummer, coucou maman, salut maman, coucou papa,
      maman c est moi, nouveau numero, hola papa, numero nuevo, nuevo numero, ciao mamma, ciao papa,
      nuovo numero, numero nuovo, hoi mam, hoi pap, hoi mama, nieuwe nummer, oi mae, ola mae, oi pai,
      novo numero, numero novo, troquei de numero, handy kaputt, handy ist kaputt`),
    weak: parsePhrases(`
      mum, mom, dad, accident, hospital, lawyer, son, daughter, emergency, mama, papa, handy, maman,
      telephone, movil, telefono, mamma, telefoon, mae, pai, celular, telemovel`),
  },
  extortion: {
    strong: parsePhrases(`
      your webcam, recorded you, recorded a video, adult sites, all your contacts, intimate, your
      secret, ransom, hacked your, i hacked, your device was, send to all, your browsing, nude, nudes,
      your family and friends, compromising, masturbating, your passwords, my malware, expose you, full
      access to your, alle ihre kontakte, uber ihre webcam, tous vos contacts, votre webcam, todos tus
      contactos, todos sus contactos, tutti i tuoi contatti, al je contacten, seus contatos, seus
      contactos`),
    weak: parsePhrases(`
      bitcoin, video, contacts, leak, publish, hacker, wallet, pay, webcam, kontakte, contactos,
      contatti, contacten`),
  },
  crypto_scam: {
    strong: parsePhrases(`
      crypto, cryptocurrency, bitcoin, btc, usdt, ethereum, airdrop, trading platform, forex, metamask,
      coinbase, guaranteed returns, guaranteed profit, investment plan, double your, binance, seed
      phrase, wallet, token sale, trading signals, stock group, stock tips, daily profit, passive
      income, investment opportunity, kryptowahrung, garantierte rendite, rendement garanti,
      cryptomonnaie, criptomoneda, criptomonedas, rentabilidad garantizada, criptovalute, rendimento
      garantito, cryptomunten, beleggen, criptomoedas, lucro garantido`),
    weak: parsePhrases(`
      invest, investment, profit, profits, trading, returns, mining, stocks, withdraw, investieren,
      anlage, rendite, investir, investissement, invertir, inversion, investire, investimento,
      belegging, lucro, gewinne`),
  },
  job_scam: {
    strong: parsePhrases(`
      part time job, part time, work from home, remote job, job offer, your resume, recruiter, hiring,
      daily salary, per day, hr manager, online job, remote position, mystery shopper, data entry,
      flexible hours, product optimizer, recruitment, job opportunity, earn up to, paid training, simple
      tasks, remote work, no experience, nebenjob, homeoffice, personalburo, personalabteilung, vi su
      curriculum, recursos humanos, trabajo desde casa, teletravail, emploi a domicile, ressources
      humaines, lavoro da casa, risorse umane, thuiswerk, bijbaan, trabalho remoto, vaga de emprego`),
    weak: parsePhrases(`
      job, salary, earn, income, work, position, hours, interview, tasks, paid, arbeit, gehalt, taglich,
      travail, salaire, trabajo, sueldo, lavoro, stipendio, werk, salaris, trabalho, salario`),
  },
  prize_scam: {
    strong: parsePhrases(`
      you have won, you won, winner, congratulations, claim your, prize, lottery, sweepstakes, free
      gift, reward, selected to receive, been selected, gift voucher, cash prize, jackpot, lucky draw,
      free iphone, walmart gift, guaranteed cash, bonus caller, free entry, to claim, your reward,
      raffle, giveaway, unclaimed, sie haben gewonnen, gewinnspiel, gutschein, vous avez gagne, tirage
      au sort, ha ganado, has ganado, sorteo, hai vinto, ha vinto, vincitore, prijs gewonnen, gewonnen,
      winnaar, ganhou, foi sorteado, cartao presente`),
    weak: parsePhrases(`
      won, claim, free, gift, award, bonus, voucher, points, redeem, survey, gewinn, gratis, cadeau,
      gagnant, premio, regalo, gratuit, gratuito, prijs, brinde`),
  },
  romance_scam: {
    strong: parsePhrases(`
      wrong number, are you single, nice to meet you, i saw your profile, lonely, looking for a man, my
      dear, darling, soulmate, we met at, is this, destiny, make friends, be friends, dating, fate, army
      doctor, my love, get to know you, sexy, horny, hookup, chat with me, beautiful women, deployed,
      honey, lernen wir uns, dich kennenlernen, falsche nummer, faire connaissance, mauvais numero,
      conocerte, numero equivocado, conoscerti, numero sbagliato, leren kennen, verkeerd nummer, te
      conhecer, numero errado`),
    weak: parsePhrases(`
      single, love, friend, friends, photos, meet, golf, dinner, cute, girl, lady, widow, liebe, amour,
      amor, amore, liefde, einsam, seul, solo, freunde, amigos`),
  },
  loan_scam: {
    strong: parsePhrases(`
      loan, loans, pre approved, preapproved, cash advance, bad credit, no credit check, inheritance,
      next of kin, million dollars, million usd, beneficiary, fund transfer, compensation fund, atm
      card, barrister, diplomat, consignment, deposit into your account, payday, late client,
      sofortkredit, ohne schufa, erbschaft, pret personnel, credit rapide, heritage, prestamo,
      prestamos, herencia, prestito, prestiti, eredita, lening, erfenis, emprestimo, heranca`),
    weak: parsePhrases(`
      approved, credit, funds, fund, cash, borrow, apply, usd, foreign, kredit, darlehen, credito,
      krediet`),
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
      donate, donation, donations, charity, orphans, earthquake victims, relief fund, police
      association, spenden sie, spende, faites un don, donacion, donazione, doneer, donatie, doacao`),
    weak: parsePhrases(`
      victims, help, children, war, fund, foundation, veterans, firefighters, opfer, victimes, ninos,
      bambini, slachtoffers, criancas`),
  },
  business_email_compromise: {
    strong: parsePhrases(`
      new bank details, change of bank, updated bank details, attached invoice, overdue invoice, direct
      deposit, payroll, are you at your desk, are you available, gift cards for, i am in a meeting, im
      in a meeting, wire the, ceo, vendor payment, payment instructions, swift, remittance, quick task,
      our bank account, supplier, neue bankverbindung, geanderte bankverbindung, nouvelles coordonnees
      bancaires, nuevos datos bancarios, nuove coordinate bancarie, nieuwe bankgegevens, novos dados
      bancarios, gutscheinkarten, geschenkkarten, cartes cadeaux, tarjetas regalo, carte regalo,
      cadeaubonnen`),
    weak: parsePhrases(`
      invoice, payment, discreet, confidential, transfer, meeting, task, vendor, clients, staff,
      rechnung, facture, factura, fattura, factuur, fatura, besprechung, reunion, riunione, vergadering,
      reuniao, vertraulich, confidentiel, confidencial`),
  },
  marketplace_scam: {
    strong: parsePhrases(`
      your listing, still available, marketplace, ebay, deposit to secure, rental, landlord, craigslist,
      vinted, your ad, my mover, cashiers check, certified check, shipping agent, buyer has paid,
      receive the payment, overpaid, ihre anzeige, kleinanzeigen, noch verfugbar, leboncoin, votre
      annonce, su anuncio, wallapop, il suo annuncio, il tuo annuncio, subito it, marktplaats, uw
      advertentie, olx, seu anuncio`),
    weak: parsePhrases(`
      item, seller, buyer, rent, apartment, deposit, sell, selling, pickup, ad, artikel, verkaufer,
      kaufer, acheteur, vendeur, comprador, vendedor, acquirente, venditore, koper, verkoper`),
  },
  call_back_scam: {
    strong: parsePhrases(`
      order has been placed, if you did not, if this was not you, auto renewed, auto renewal, will be
      charged, has been charged, invoice number, cancel this order, to cancel, to dispute, missed call,
      voicemail, press 1 to, rufen sie umgehend, rufen sie sofort, appelez immediatement, llame
      inmediatamente, chiami subito, bel direct, ligue imediatamente`),
    weak: parsePhrases(`
      order, cancel, call, renewed, helpline, customer care, toll free, anrufen, stornieren, appelez,
      annuler, llame, cancelar, chiami, annullare, annuleren, ligue`),
  },
  unwanted_advertising: {
    strong: parsePhrases(`
      viagra, cialis, casino, betting, weight loss, cheap, ringtone, ringtones, pharmacy, rolex,
      unsubscribe, opt out, to stop, reply stop, limited time, txt stop, per msg, free spins, slots,
      cbd, keto, replica, vote, campaign, special offer, discount, off your, sonderangebot, nur heute,
      offre speciale, oferta especial, offerta speciale, aanbieding`),
    weak: parsePhrases(`
      offer, sale, buy, deal, stop, text, save, subscribe, click, angebot, rabatt, promo, promotion,
      oferta, descuento, offerta, sconto, korting, desconto`),
  },
};
