import { parsePhrases } from './parse-phrases.ts';
import type { TacticWords } from './tactic-words.ts';

/** Verbs that ask a person to pass on or to check something. */
const GIVE = `
  send, share, tell, forward, give, reply, read, provide, text, screenshot, senden, schicken, sende,
  schick, schicke, nennen, nenne, mitteilen, angeben, eingeben, geben, weiterleiten, teilen, bestatigen,
  bestatige, verifizieren, hinterlegen, aktualisieren, prufen, envoyez, envoyer, envoie, envoies,
  donnez, donner, donne, communiquez, communiquer, saisissez, saisir, renseignez, confirmez, confirmer,
  verifiez, verifier, fournir, transmettez, transmettre, transferer, envie, enviar, envia, enviame,
  envieme, mande, mandame, manda, mandar, comparte, compartir, introduzca, introducir, facilite,
  facilitar, confirme, confirmar, confirma, verifique, verificar, verifica, actualice, actualizar, dime,
  invia, inviare, inviami, invii, mandami, mandi, girami, inserisca, inserire, inserisci, confermare,
  conferma, confermi, fornire, fornisca, comunicare, comunica, aggiornare, aggiorna, verificare, stuur,
  sturen, stuurt, geef, geven, doorgeven, deel, delen, invullen, vul, voer, invoeren, bevestig,
  bevestigen, verifieer, verifieren, controleer, controleren, doorsturen, bijwerken, mande, mandar,
  informe, informar, insira, inserir, digite, digitar, atualize, atualizar, passa, passe, valide,
  validar`;

/** What a message asks of a person, the most dangerous first. */
export const REQUESTS = {
  one_time_code: {
    verbs: parsePhrases(GIVE),
    nouns: parsePhrases(`
      code, codes, otp, passcode, 6 digits, six digits, 4 digits, verification code, security code, 6
      digit code, six digit code, code you received, sicherheitscode, bestatigungscode, tan, sms code,
      code de verification, code recu, code de securite, codigo, codigo de verificacion, codigo de
      seguridad, codice, codice di verifica, codice ricevuto, verificatiecode, sms code,
      beveiligingscode, codigo de verificacao, codigo de seguranca`),
  },
  remote_access: {
    phrases: parsePhrases(`
      allow remote access, give us remote access, install anydesk, download anydesk, install teamviewer,
      download teamviewer, open anydesk, installieren sie anydesk, installieren sie teamviewer,
      installez anydesk, instale anydesk, installi anydesk, installeer anydesk, installeer teamviewer,
      instale o anydesk`),
    verbs: parsePhrases(`
      install, download, open, run, type, installieren, herunterladen, installez, installer,
      telechargez, instale, instalar, descargue, installi, installare, scarichi, scarica, installeer,
      installeren, download, baixe, instale`),
    nouns: parsePhrases(`
      anydesk, any desk, teamviewer, team viewer, quick support, ultraviewer, support tool, remote tool,
      screen sharing`),
  },
  irrevocable_payment: {
    verbs: parsePhrases(`
      send, pay, buy, purchase, deposit, wire, get, pick, invest, load, scratch, transfer, senden,
      kaufen, kauf, besorgen, besorge, besorg, uberweisen, einzahlen, bezahlen, zahlen, achetez,
      acheter, achete, envoyez, payez, versez, envie, envia, compre, compra, comprar, pague, deposite,
      deposita, invia, compri, compra, comprare, acquistare, paghi, versare, koop, kopen, stuur, betaal,
      betalen, haal, comprar, compre, pague, envie, deposite`),
    nouns: parsePhrases(`
      gift card, gift cards, giftcard, giftcards, itunes card, itunes cards, steam card, steam cards,
      google play card, google play cards, apple card, apple cards, bitcoin, bitcoins, btc, usdt,
      ethereum, eth, crypto, wire transfer, western union, moneygram, zelle, cash app, cashapp, venmo,
      prepaid card, prepaid cards, bitcoin atm, crypto wallet, wire, geschenkkarten, gutscheinkarten,
      guthabenkarten, carte cadeau, cartes cadeaux, cartes cadeau, cartes pcs, tarjetas regalo, tarjeta
      regalo, carte regalo, buoni regalo, cadeaukaarten, cadeaubonnen, cartoes presente, cartao
      presente, neosurf, paysafecard, pay safe cards, bizum, mb way, pix`),
  },
  credentials: {
    phrases: parsePhrases(`
      verify your identity, verify your account, verify your information, verify your details, verify
      your card, verify your bank, verify your wallet, verify your email, verify your payment, confirm
      your details, confirm your identity, confirm your account, confirm your information, confirm your
      card, confirm your bank, confirm your address, confirm your data, confirm your payment, update
      your details, update your information, update your account, update your address, update your
      billing, update your payment, update your card, update your bank, update your delivery, update
      delivery, confirm delivery details, validate your account, validate your, verify ownership,
      restore your account, bestatigen sie ihre, bestatigen sie ihr konto, verifizieren sie ihr,
      verifizieren sie ihre, aktualisieren sie ihre, konto verifizieren, daten bestatigen, identitat
      bestatigen, daten aktualisieren, legitimieren sie sich, confirmez votre, confirmez vos, verifiez
      votre, verifiez vos, mettez a jour vos, mettre a jour vos, mettre a jour votre, actualisez vos,
      validez votre, confirmer votre, confirmer vos, verifique su, verifica tu, confirme su, confirme
      sus, confirma tus, confirma tu, actualice su, actualice sus, actualiza tus, actualiza tu, valide
      su, verifique sus, verifica tus, verifichi i suoi, verifica i tuoi, confermi i suoi, conferma i
      tuoi, conferma la tua, aggiorna i tuoi, aggiorni i suoi, verifica la tua, aggiorna la tua,
      aggiornare i suoi, aggiornare i dati, confermare i dati, verifica il tuo, verifichi la sua,
      bevestig uw, bevestig je, verifieer uw, verifieer je, controleer uw gegevens, werk uw gegevens,
      update uw gegevens, gegevens bevestigen, gegevens bijwerken, identiteit bevestigen, confirme os
      seus, confirme seus, confirme a sua, atualize seus, atualize os seus, atualize a sua, atualize
      seu, verifique a sua, verifique seus, valide os seus, valide seus, confirmar os seus, atualizar os
      seus, regularize seu`),
    verbs: parsePhrases(`${GIVE}, enter, submit, confirm, verify, update, fill, upload`),
    nouns: parsePhrases(`
      password, passwords, your pin, pin number, card number, card details, card information, cvv, social security number,
      your social, date of birth, seed phrase, recovery phrase, secret phrase, private key, account number,
      account details, bank details, bank account details, banking details, banking information, personal details,
      personal information, your details, your full name, full name, full address, ssn, bank info, your address, home address, delivery address,
      billing information, payment details, payment information, payment method, credentials, id card, copy of your id,
      photo of your id, your passport, passport copy, medicare number, routing number, sort code, your cpf,
      passwort, kennwort, zugangsdaten, kartennummer, kartendaten, kontodaten, bankdaten, personlichen daten, geburtsdatum,
      ihre daten, deine daten, ihre adresse, lieferadresse, iban, zahlungsdaten, ausweis,
      mot de passe, coordonnees bancaires, vos coordonnees, numero de carte, date de naissance, vos informations,
      vos donnees, rib, votre adresse, carte bancaire, identifiants,
      contrasena, numero de tarjeta, datos bancarios, sus datos, tus datos, fecha de nacimiento, clave, claves, su dni,
      datos personales, direccion, su direccion, datos de pago, numero de cuenta,
      la password, numero di carta, dati bancari, i suoi dati, i tuoi dati, dati personali, data di nascita, credenziali,
      indirizzo, dati della carta, dati di pagamento, documento,
      wachtwoord, pincode, rekeningnummer, bankgegevens, uw gegevens, je gegevens, persoonlijke gegevens, geboortedatum,
      betaalgegevens, kaartgegevens, uw adres, inloggegevens,
      senha, palavra passe, numero do cartao, dados bancarios, seus dados, os seus dados, data de nascimento,
      dados pessoais, cpf, morada, endereco, dados do cartao, dados de acesso`),
  },
  sign_in: {
    phrases: parsePhrases(`
      please log in, please login, please sign in, log in here, login here, sign in here, log in now,
      login now, sign in now, log in at, login at, sign in at, log in to verify, log in to review, log
      in to confirm, log in to restore, log in to your account to, sign in to verify, sign in to review,
      sign in to confirm, sign in to restore, sign in to keep, sign in to your account to, log in
      immediately, melden sie sich an, bitte anmelden, jetzt anmelden, loggen sie sich ein, connectez
      vous, inicie sesion, inicia sesion, acceda a su cuenta, accede a tu cuenta, acceda a su banca,
      effettui l accesso, effettua l accesso, acceda al, acceda al suo, accedi al, accedi al tuo, log in
      via, inloggen via, log hier in, log direct in, faca login, aceda a sua conta, acesse sua conta,
      entre na sua conta`),
  },
  fee: {
    phrases: parsePhrases(`
      pay now, pay the fee, pay here, pay at, pay online, pay today, pay immediately, pay it, pay your,
      make payment, make a payment, make the payment, complete the payment, complete your payment,
      complete payment, settle your, settle the, settle it, settle now, pay the outstanding, payment is
      required, payment required, remit payment, release fee of, send the money, send me money, need you
      to pay, payment needed, jetzt bezahlen, jetzt zahlen, bezahlen sie, zahlen sie, begleichen sie,
      uberweisen sie, uberweise mir, zahlung leisten, payez, reglez, effectuez le paiement, veuillez
      regler, veuillez payer, merci de regler, frais a payer, pague, abone, realice el pago, efectue el
      pago, pagar ahora, haga una transferencia, paghi, paga subito, paga ora, paga qui, effettui il
      pagamento, effettua il pagamento, saldare, versare, betaal, betaal nu, betaal direct, maak over,
      voldoe, pague agora, efetue o pagamento, efectue o pagamento, faca o pagamento, realize o
      pagamento, transfira, regularize o pagamento`),
    verbs: parsePhrases(`
      pay, settle, remit, send, cover, paying, lend, wire, zahlen, bezahlen, begleichen, uberweisen,
      entrichten, nachzahlen, payer, regler, verser, virer, acquitter, pagar, abonar, transferir,
      ingresar, pagare, saldare, versare, bonificare, betalen, overmaken, voldoen, bijbetalen, liquidar,
      regularizar`),
    nouns: parsePhrases(`
      fee, fees, charge, charges, toll, tolls, balance, bill, invoice, fine, penalty, duty, customs,
      deposit, postage, amount, the money, money, <money>, debt, payment, funds, gebuhr, gebuhren,
      zollgebuhr, zollgebuhren, versandkosten, betrag, rechnung, bussgeld, kaution, geld, zoll, frais,
      taxe, amende, montant, facture, caution, douane, argent, tasa, tasas, gastos, multa, importe,
      factura, deposito, fianza, aduanas, aranceles, dinero, spese, tariffa, importo, fattura, sanzione,
      cauzione, dogana, soldi, pedaggio, kosten, invoerkosten, verzendkosten, bedrag, boete, factuur,
      borg, openstaande, taxas, despesas, coima, valor, fatura, caucao, alfandega, dinheiro, portagem`),
  },
  call_back: {
    phrases: parsePhrases(`
      press 1, press one, press 2, press two, press 9, press nine, press 0, press the 1 key, call this
      number, call us now, call immediately, call us immediately, call us at, call us on, call us back,
      please call, call the number, call support, call our, return our call, return the call, call back
      on, call back at, call me back, give us a call, rufen sie uns, rufen sie an, rufen sie bitte,
      rufen sie sofort, rufen sie umgehend, rufen sie die, drucken sie die, ruf mich an, appelez le,
      appelez nous, appelez vite, appelez immediatement, appelez notre, rappelez, rappelez le, tapez 1,
      appuyez sur, llame al, llame a, llamenos, llame ahora, llama al, pulse 1, pulse uno, marque 1,
      marque el, oprima, chiami il, chiami subito, chiama il, chiama subito, chiami lo, prema 1, premi
      1, prema il tasto, digiti 1, bel ons, bel direct, bel nu, bel naar, bel met, bel het, bel dan,
      toets 1, toets een, druk op, ligue para, ligue ja, ligue agora, ligue imediatamente, pressione 1,
      tecle 1, carregue na tecla, prima 1`),
    verbs: parsePhrases(`
      call, ring, dial, anrufen, ruf, rufen, appelez, appeler, composez, llame, llama, llamar, chiami,
      chiama, chiamare, bel, bellen, ligue, ligar`),
    nouns: parsePhrases('<phone>, 0800, 0845, 0900, 1800, 1 800, 1 888, 1 877, 1 866'),
  },
  secrecy: {
    phrases: parsePhrases(`
      keep this between us, keep it between us, between you and me, do not tell anyone, keep it secret,
      keep this private, keep this quiet, keep it quiet, keep this confidential, keep it confidential,
      do not discuss, dont discuss, don t discuss, remain confidential, treat this as confidential, tell
      no one, tell nobody, is strictly confidential, sagen sie niemandem, sag niemandem, sag es
      niemandem, bleibt unter uns, streng vertraulich, vertraulich behandeln, n en parlez a personne, n
      en parle a personne, restez discret, reste entre nous, strictement confidentiel, no se lo diga, no
      se lo digas, no lo comente, maxima discrecion, total discrecion, entre nosotros, non ne parli, non
      dirlo, resti tra noi, massima riservatezza, zeg het tegen niemand, vertel het niemand, vertel
      niemand, blijft onder ons, strikt vertrouwelijk, nao conte a ninguem, nao diga a ninguem, fique
      entre nos, sigilo absoluto, do not tell anybody, do not tell mom, do not tell mum, do not tell
      dad, do not tell your bank, do not tell your family, do not tell the bank, do not tell your
      husband, do not tell your wife, do not tell him, do not tell them, dont tell anyone, dont tell
      anybody, dont tell mom, dont tell mum, dont tell dad, dont tell your bank, dont tell your family,
      dont tell the bank, dont tell your husband, dont tell your wife, dont tell him, dont tell them,
      don t tell anyone, don t tell anybody, don t tell mom, don t tell mum, don t tell dad, don t tell
      your bank, don t tell your family, don t tell the bank, don t tell your husband, don t tell your
      wife, don t tell him, don t tell them, can t tell anybody, do not mention this, don t mention
      this, you don t talk to, do not talk to`),
  },
  elsewhere: {
    phrases: parsePhrases(`
      text me on, message me on, contact me on, add me on, save my number, save this number, text me at
      this number, speichere meine nummer, enregistre mon numero, guarda mi numero, guarda este numero,
      salva il mio numero, sla mijn nummer op, salva o meu numero, salva meu numero`),
    verbs: parsePhrases(`
      message, text, contact, add, write, chat, reach, join, reply, move, talk, continue, schreiben,
      schreib, schreibe, melde, melden, kontaktieren, kontaktiere, ecris, ecrivez, contactez, contacte,
      ajoutez, rejoignez, escribeme, escribe, escriba, contacte, unete, unase, agregame, contactenos,
      scrivimi, scrivi, scriva, contatta, contattami, contatti, unisciti, schrijf, app, stuur, voeg,
      neem, meld, fala, chama, chame, escreve, escreva, contacte, entre, adicione, manda`),
    nouns: parsePhrases('whatsapp, telegram, wechat, line id, signal app, on signal, viber, whats app'),
  },
  donation: {
    phrases: parsePhrases(`
      please donate, donate now, donate today, make a donation, donate here, can donate, donate to,
      jetzt spenden, bitte spenden, spenden sie, faites un don, haga una donacion, done ahora, faccia
      una donazione, doni ora, doneer, faca uma doacao, doe agora`),
  },
} as const satisfies Record<string, TacticWords>;
