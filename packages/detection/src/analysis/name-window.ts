import { parsePhrases } from '../cues/parse-phrases.ts';
import { bestWindow, prefixSums, SHORT_WINDOW } from '../features/text/document-features.ts';
import { type Clause, WORD_SUBJECTS, type WordSign, type WordSubject } from '../wording/clause.ts';

/** What words are about, as ordinary words of the languages that the model learned; without accents. */
const SUBJECTS = {
  account: `
      account, accounts, password, passwords, login, username, mailbox, subscription, konto,
      kundenkonto, passwort, abo, compte, comptes, cuenta, cuentas, contrasena, conto, password,
      rekening, wachtwoord, conta, senha, abonnement, suscripcion, abbonamento, assinatura, subscricao`,
  bank: `
      bank, banks, banking, card, debit, credit, visa, mastercard, paypal, iban, karte, kreditkarte,
      sparkasse, banque, carte, bancaire, banco, banca, tarjeta, carta, bancomat, bankpas, betaalpas,
      pas, cartao, bizum`,
  parcels: `
      parcel, parcels, package, packages, delivery, deliver, delivered, shipment, shipping, courier,
      redelivery, usps, dhl, ups, fedex, evri, dpd, paket, pakete, sendung, zustellung, lieferung,
      colis, livraison, paquete, envio, entrega, pacco, spedizione, consegna, pakket, pakketje,
      bezorging, zending, encomenda, correos`,
  money: `
      money, pay, paid, payment, payments, cash, fee, fees, refund, dollars, pounds, euro, euros, usd,
      bill, invoice, balance, transfer, geld, zahlung, bezahlen, zahlen, betrag, rechnung, gebuhr,
      uberweisung, uberweisen, argent, paiement, payer, frais, montant, facture, virement,
      remboursement, dinero, pago, pagar, importe, factura, transferencia, reembolso, soldi, denaro,
      pagamento, pagare, importo, fattura, bonifico, rimborso, betaling, betalen, bedrag, factuur,
      dinheiro, pagamento, fatura, valor, amount, deposit, price, prices, cost, costs, funds, fund,
      worth`,
  prizes: `
      prize, prizes, winner, won, lottery, gift, gifts, reward, rewards, voucher, bonus,
      congratulations, free, gewinn, gewonnen, gewinner, gutschein, gratis, prix, gagne, gagnant,
      cadeau, premio, ganador, regalo, sorteo, vincitore, vinto, prijs, winnaar, gewonnen, premiado,
      brinde, draw, jackpot, claim`,
  work: `
      job, jobs, work, salary, hiring, recruiter, resume, interview, hr, employee, arbeit, stelle,
      gehalt, emploi, travail, salaire, recrutement, trabajo, empleo, sueldo, lavoro, stipendio, werk,
      baan, salaris, trabalho, emprego, salario, vaga, payroll`,
  investments: `
      invest, investment, investments, profit, profits, trading, crypto, bitcoin, btc, usdt, stocks,
      shares, returns, wallet, token, kryptowahrung, rendite, anlage, investition, investissement,
      rendement, inversion, inversiones, ganancias, investimento, investire, guadagno, rendimento,
      beleggen, belegging, lucro, portfolio, forex, coin, coins, earn, earnings`,
  authorities: `
      tax, taxes, irs, hmrc, government, police, officer, court, fine, fines, toll, tolls, penalty,
      customs, legal, warrant, arrest, steuer, finanzamt, polizei, bussgeld, zoll, impots, police,
      amende, douane, antai, hacienda, policia, multa, aduana, agenzia, polizia, sanzione, dogana,
      belasting, belastingdienst, politie, boete, cjib, financas, policia, coima, receita, federal,
      social, benefits, medicare, attorney, lawyer`,
  family: `
      mum, mom, dad, son, daughter, grandma, grandpa, grandson, mama, papa, mutti, maman, hijo, hija,
      figlio, figlia, mamma, mam, pap, mae, pai, filho, filha`,
  phone: `
      phone, handy, telephone, movil, telefono, telefoon, telemovel, celular`,
  computer: `
      computer, device, windows, virus, microsoft, software, hacker, hackers, technician, infected,
      gerat, ordinateur, appareil, ordenador, dispositivo, computador, apparaat, toestel, webcam,
      camera, email`,
  love: `
      love, friend, friends, single, lonely, dating, darling, honey, sexy, liebe, freunde, amour, amie,
      amor, amigos, amore, amici, liefde, vrienden, cute, beautiful, girl, girls, kiss`,
  loans: `
      loan, loans, debt, debts, insurance, warranty, mortgage, approved, kredit, schulden, versicherung,
      pret, credit, assurance, dette, prestamo, deuda, seguro, prestito, debito, assicurazione, lening,
      schuld, verzekering, emprestimo, divida, rate, rates, coverage`,
  purchases: `
      offer, offers, sale, discount, buy, order, orders, purchase, deal, deals, shop, store, angebot,
      rabatt, kaufen, bestellung, offre, promotion, acheter, commande, oferta, descuento, comprar,
      compra, pedido, sconto, acquistare, ordine, aanbieding, korting, kopen, bestelling, promocao,
      desconto, encomenda, product, products, renewal, ticket, tickets, service`,
  security: `
      security, secure, code, codes, verify, verification, confirm, suspended, locked, blocked, alert,
      unauthorized, suspicious, fraud, sicherheit, bestatigen, gesperrt, securite, code, confirmer,
      bloque, seguridad, codigo, verificar, bloqueada, sicurezza, codice, verificare, bloccato,
      beveiliging, verificatie, bevestigen, geblokkeerd, seguranca, confirmar, fraude, otp, pin,
      validate, authentication`,
  donations: `
      donate, donation, donations, charity, victims, help, spende, spenden, don, dons, donacion,
      donazione, donatie, doacao, hospital, emergency, accident, unfall, accidente, incidente, ongeluk,
      acidente`,
  calls: `
      call, calls, text, txt, message, voicemail, voice, whatsapp, telegram, anrufen, anruf, nachricht,
      appelez, appel, repondez, llame, llamada, mensaje, chiami, chiama, messaggio, bel, bellen,
      bericht, ligue, mensagem, sms`,
} as const satisfies Record<WordSubject, string>;
/** Signs in the tokens of the model. */
const SIGNS: Readonly<Record<string, WordSign>> = {
  '<link>': 'link',
  '<money>': 'money',
  '<phone>': 'number',
  '<email>': 'mail_address',
};
const MAX_SUBJECTS = 2;
const SUBJECT_OF: ReadonlyMap<string, WordSubject> = new Map(
  WORD_SUBJECTS.flatMap((subject) => parsePhrases(SUBJECTS[subject]).map((word) => [word, subject] as const)),
);

/**
 * Names by kind the words that weighed most in the most suspicious part of a text, as a clause; undefined when none of
 * them is an ordinary word that has a kind.
 *
 * @param scores of each word of the model, in order
 */
export function nameWindow(words: readonly string[], scores: Float64Array): Clause | undefined {
  const { start, end } = bestWindow(prefixSums(scores), SHORT_WINDOW);
  const subjects = new Map<WordSubject, number>();
  const signs = new Map<WordSign, number>();
  for (let at = start; at < end; at += 1) {
    const word = words[at] as string;
    const weight = scores[at] as number;
    const sign = SIGNS[word];
    const subject = SUBJECT_OF.get(word);
    if (sign !== undefined) addWeight(signs, sign, weight);
    else if (subject !== undefined) addWeight(subjects, subject, weight);
  }
  const [sign] = heaviestOf(signs);
  const about = heaviestOf(subjects).slice(0, MAX_SUBJECTS);
  if (about.length === 0 && sign === undefined) return undefined;
  return { code: 'weighed', subjects: about, ...(sign !== undefined && { sign }) };
}

function addWeight<Kind>(weights: Map<Kind, number>, kind: Kind, weight: number): void {
  weights.set(kind, (weights.get(kind) ?? 0) + weight);
}

function heaviestOf<Kind>(weights: ReadonlyMap<Kind, number>): Kind[] {
  return [...weights]
    .filter(([, weight]) => weight > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([kind]) => kind);
}
