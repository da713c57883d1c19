import { parsePhrases } from './parse-phrases.ts';
import type { TacticWords } from './tactic-words.ts';

/** What a message says to make a person act, the most specific first. */
export const CLAIMS = {
  extortion: {
    phrases: parsePhrases(`
      through your webcam, through your camera, access to your webcam, uber ihre webcam, uber ihre
      kamera, par votre webcam, via votre webcam, con tu webcam, con su webcam, send the video to, uw
      webcam gefilmd, i recorded you, recorded you, have a video of you, send to all your contacts, to all your
      contacts, to all of your contacts, will be sent to your contacts, expose you, publish everything,
      send it to your family, release the video, data will be published, an alle ihre kontakte, alle
      ihre kontakte, a tous vos contacts, todos sus contactos, todos tus contactos, tutti i suoi
      contatti, tutti i tuoi contatti, al je contacten, al uw contacten, todos os seus contatos, todos
      os seus contactos`),
  },
  unreachable: {
    phrases: parsePhrases(`
      i am in a meeting, im in a meeting, i m in a meeting, in a meeting right now, in a meeting now,
      currently in a meeting, in a meeting at the moment, in meetings all day, cannot talk, cant talk,
      can t talk, cannot take calls, cant take calls, can t take calls, cant call, cannot call, can t
      call, cannot speak, can t speak, in einer besprechung, kann nicht telefonieren, kann gerade nicht
      telefonieren, kann gerade nicht sprechen, en reunion, peux pas parler, peux pas appeler, en una
      reunion, no puedo hablar, no puedo llamar, in riunione, non posso parlare, non posso chiamare, in
      een vergadering, kan niet bellen, kan niet praten, kan nu niet bellen, em reuniao, nao posso
      falar, nao consigo falar, nao posso ligar`),
  },
  new_number: {
    phrases: parsePhrases(`
      my new number, my new phone number, new number for now, temporary number, broke my phone,
      dropped my phone, lost my phone, phone is broken, phone broke, my phone is dead, phone fell,
      phone got stolen, smashed my phone, cracked my phone,
      meine neue nummer, meine neue handynummer, handy ist kaputt, handy kaputt, handy verloren,
      nummer gewechselt, mon nouveau numero, numero provisoire, change de numero,
      telephone est casse, casse mon telephone, perdu mon telephone,
      mi nuevo numero, mi numero nuevo, cambie de numero, he cambiado de numero,
      se me ha roto el movil, se me rompio el movil, se me rompio el telefono, perdi mi telefono,
      mio nuovo numero, mio numero nuovo, ho cambiato numero, rotto il telefono, perso il telefono,
      telefono si e rotto, mijn nieuwe nummer, telefoon is kapot, telefoon kapot, mobiel is kapot,
      telefoon is stuk, meu novo numero, meu numero novo, troquei de numero, mudei de numero,
      telemovel avariou, telemovel partiu, celular quebrou`),
  },
  blocked: {
    phrases: parsePhrases(`
      account suspended, account locked, account blocked, account is locked, will be blocked, will be
      suspended, will be deactivated, will be terminated, will be disconnected, will be closed, will be
      restricted, will be locked, will be disabled, will be cut off, has been suspended, have been
      suspended, has been locked, has been blocked, has been restricted, has been limited, has been
      disabled, has been deactivated, has been frozen, been put on hold, been placed on hold,
      temporarily suspended, temporarily locked, temporarily blocked, temporarily restricted, is
      suspended, is locked, is blocked, is restricted, permanently deleted, wurde gesperrt, wird
      gesperrt, ist gesperrt, gesperrt wird, gesperrt wurde, voruber gesperrt, vorubergehend gesperrt,
      wurde eingeschrankt, wird eingeschrankt, wird deaktiviert, wurde deaktiviert, wird abgeschaltet, a
      ete suspendu, a ete bloque, a ete bloquee, a ete suspendue, sera suspendu, sera bloque, sera
      bloquee, sera desactive, sera coupe, est bloque, est suspendu, est bloquee, est suspendue,
      temporairement suspendu, ha sido bloqueada, ha sido bloqueado, ha sido suspendida, ha sido
      suspendido, sera bloqueada, sera bloqueado, sera suspendida, sera suspendido, sera desactivada,
      esta bloqueada, esta bloqueado, esta suspendida, cuenta bloqueada, quedara bloqueada, hemos
      bloqueado, limitada temporalmente, e stato bloccato, e stata bloccata, e stato sospeso, e stata
      sospesa, sara bloccato, sara bloccata, sara sospeso, sara sospesa, verra bloccato, verra sospeso,
      verra disattivato, e bloccato, e bloccata, sara disattivato, is geblokkeerd, wordt geblokkeerd, is
      beperkt, wordt beperkt, wordt afgesloten, is opgeschort, wordt opgeschort, wordt gedeactiveerd,
      geblokkeerd wordt, zijn geblokkeerd, foi bloqueada, foi bloqueado, foi suspensa, foi suspenso,
      sera bloqueado, sera suspensa, sera suspenso, esta bloqueado, sera cancelado, sera cortado, sera
      desativado, sera desativada, account is limited, membership is on hold, account is on hold,
      account on hold, subscription is on hold, limited the access, limited your account, limited access
      to your account`),
    verbs: parsePhrases(`
      restricted, suspended, suspend, locked, blocked, frozen, deactivated, disabled, closed,
      terminated, deleted, disconnected, erased, locked out, gesperrt, eingeschrankt, deaktiviert,
      bloque, suspendu, bloqueada, suspendida, bloccato, sospeso, geblokkeerd, beperkt, bloqueado,
      suspensa`),
    nouns: parsePhrases(`
      account, accounts, membership, card, profile, access, benefits, subscription, mailbox, apple id,
      sim, wallet, konto, kundenkonto, karte, zugang, compte, carte, cuenta, tarjeta, acceso, conto,
      carta, rekening, pas, toegang, conta, cartao`),
    states: 'affirmed',
  },
  threat: {
    phrases: parsePhrases(`
      orden de embargo, embargo de, interessi di mora, incassobureau, legal action, arrest warrant, be
      arrested, warrant for your arrest, a warrant, your arrest, lawsuit, penalties, prosecution, be
      prosecuted, legal proceedings, legal enforcement, license will be, be deported, go to jail, court
      proceedings, court action, debt collection, debt collectors, collection agency, bailiffs, bailiff,
      late fee, late fees, late payment fee, additional fees, additional charges, further charges,
      penalty, returned to sender, be returned to the sender, be returned to sender, be destroyed,
      vehicle registration suspension, registration suspended, will be forfeited, will be lost, lose
      access, lose your, rechtliche schritte, haftbefehl, inkasso, mahnverfahren, pfandung,
      strafanzeige, gerichtsvollzieher, zuruckgesendet, zuruckgeschickt, mahngebuhren,
      zwangsvollstreckung, poursuites, poursuites judiciaires, huissier, majoration, mandat d arret,
      retourne a l expediteur, sera retourne, sera majoree, acciones legales, orden de arresto, recargo,
      sera devuelto, devuelto al remitente, via judicial, azioni legali, mandato di arresto,
      pignoramento, restituito al mittente, sara restituito, sanzioni, verra restituito,
      gerechtsdeurwaarder, deurwaarder, juridische stappen, incassokosten, beslag, retour afzender,
      teruggestuurd, acoes judiciais, acao judicial, mandado de prisao, penhora, devolvido ao remetente,
      sera devolvido, processo judicial, execucao fiscal`),
  },
  haste: {
    phrases: parsePhrases(`
      urgent, urgently, act now, act fast, act immediately, final notice, last chance, final reminder,
      final warning, last reminder, final attempt, expires today, expire today, expires tonight, today
      only, before it is too late, hurry, immediate attention, immediate action, immediately to, time
      sensitive, without delay, spots left, do not ignore, do not hang up, do not disregard, right away,
      only a few, as soon as possible, asap, before midnight, dringend, letzte mahnung, letzte
      erinnerung, letzte chance, umgehend, unverzuglich, so schnell wie moglich, noch heute, sofort,
      dernier rappel, derniere chance, au plus vite, immediatement, de toute urgence, urgence, ultimo
      aviso, urgente, urgentemente, inmediatamente, de inmediato, cuanto antes, ultima oportunidad, hoy
      mismo, ultimo avviso, immediatamente, al piu presto, entro oggi, ultima possibilita, laatste
      herinnering, laatste kans, dringende, onmiddellijk, zo snel mogelijk, vandaag nog, ultima chance,
      imediatamente, ainda hoje, o quanto antes, com urgencia, spoed`),
    verbs: parsePhrases(`
      zahlen, bezahlen, bestatigen, aktualisieren, bestatige, payez, reglez, confirmez, verifiez, pague,
      confirme, verifique, actualice, evite, paghi, paga, verifica, verifichi, conferma, confermi,
      aggiorni, betaal, bevestig, controleer, regularize, atualize, act, pay, confirm, verify, respond,
      reply, call, update, settle, complete, click, send, claim, apply, join, book, order, restore,
      renew, cancel, return, contact, login, log, sign, transfer, tap, visit, schedule, review, buy,
      need`),
    nouns: parsePhrases(`
      innerhalb von 24, innerhalb von 48, innerhalb 24, binnen 24, binnen 48, dans les 24, sous 24, sous
      48, en 24 horas, en las proximas 24, entro 24, entro 48, em 24 horas, heute, aujourd hui, hoy,
      oggi, vandaag, hoje, now, today, tonight, immediately, within 24 hours, within 12 hours, within 48
      hours, within 2 hours, within the hour, within 24, within 48, within 12, in 24 hours, in the next
      24 hours, in the next hour, by today, by tonight, by midnight, right now, before it, by 5pm,
      before tomorrow`),
  },
  payment_problem: {
    phrases: parsePhrases(`
      ainda por pagar, unpaid, outstanding balance, outstanding toll, outstanding amount, outstanding
      payment, outstanding fee, past due, payment failed, payment was declined, payment declined,
      payment has failed, could not process your payment, couldn t process your payment, unable to
      process your payment, payment could not be, problem with your payment, billing problem, trouble
      with your billing, remains unpaid, payment method was declined, offene forderung, offene rechnung,
      offener betrag, unbezahlt, unbezahlte, nicht bezahlt, zahlung fehlgeschlagen, zahlung konnte
      nicht, uberfallig, impaye, impayee, impayes, paiement a echoue, paiement refuse, non regle, non
      reglee, impagado, impagada, pago pendiente, pagos pendientes, pago rechazado, pendiente de pago,
      multa pendiente, deuda pendiente, non pagato, non pagata, insoluto, pagamento rifiutato, pagamento
      non riuscito, in sospeso, onbetaald, onbetaalde, openstaand, openstaande, betaling is mislukt,
      betaling mislukt, nog niet betaald, em divida, em atraso, pagamento recusado, pagamento pendente,
      nao paga, valor pendente, em aberto, is overdue, overdue payment, overdue invoice, overdue bill,
      overdue balance, overdue statement, now overdue, balance overdue`),
  },
  delivery_problem: {
    phrases: parsePhrases(`
      cannot be delivered, could not be delivered, couldn t be delivered, can t be delivered, unable to
      deliver, could not deliver, couldn t deliver, attempted delivery, no se pudo entregar, no se ha
      podido entregar, nicht zugestellt werden, pas pu etre livre, non e stato possibile consegnare,
      niet worden bezorgd, nao foi possivel entregar, nicht zugestellt, niet bezorgd, niet afgeleverd,
      pas ete livre, no entregado, non consegnato, nao entregue`),
    verbs: parsePhrases(`
      held, hold, waiting, awaiting, missed, failed, undelivered, undeliverable, detained, stopped,
      incomplete, suspended, delayed, incorrect, unsuccessful, attempted, stuck, reschedule, wartet,
      zuruckgehalten, festgehalten, zollgebuhr, zollgebuhren, attente, bloque, retenu, retenido,
      retenida, detenido, pendiente, giacenza, bloccato, trattenuto, attesa, sospeso, fermo, wacht,
      vastgehouden, tegengehouden, retido, retida, aguarda, aguardando, parado`),
    nouns: parsePhrases(`
      parcel, package, shipment, redelivery, delivery, paket, sendung, colis, paquete, envio, pacco,
      spedizione, pakket, pakketje, zending, encomenda, pacote`),
    states: 'any',
  },
  unknown_activity: {
    phrases: parsePhrases(`
      from a new device, on a new device, new device signed, device registration, if you did not
      request, if you did not authorize, if you did not authorise, if you did not make, if you did not
      do, if you did not order, if you did not place, if you didn t do, if you didn t request, if you
      didn t make, if you didn t authorize, dispositivo no autorizado, neuen gerat angemeldet, desde un
      nuevo dispositivo, da un nuovo dispositivo, depuis un nouvel appareil, vanaf een nieuw apparaat,
      de um novo dispositivo, unusual sign in, unusual activity, unusual login, suspicious activity,
      suspicious sign in, suspicious login, suspicious transaction, unauthorized transaction,
      unauthorised transaction, unauthorized access, unusual transaction, unauthorized charge, new
      payee, if this was not you, if this wasn t you, if it wasn t you, if not you, wasn t you, was this
      you, not you, did you authorize, did you authorise, did you attempt, did you make, if you did not
      make, was attempted, attempted login, attempted sign in, unrecognized device, unrecognised device,
      fraudulent activity, fraudulent transaction, ungewohnliche aktivitat, verdachtige aktivitat,
      verdachtige uberweisung, unbefugt, nicht autorisiert, waren sie das nicht, wenn sie das nicht
      waren, activite inhabituelle, activite suspecte, connexion inhabituelle, operation suspecte,
      paiement suspect, vous n etes pas a l origine, si ce n est pas vous, si ce n etait pas vous,
      actividad inusual, actividad sospechosa, acceso no autorizado, cargo no autorizado, si no ha sido,
      si no fue usted, si no eres tu, si no reconoce, attivita sospetta, accesso anomalo, accesso
      sospetto, operazione sospetta, se non e stato lei, se non sei stato tu, se non riconosce, se non
      sei tu, verdachte activiteit, verdachte transactie, ongebruikelijke, was u dit niet, bent u dit
      niet, niet door u, atividade suspeita, acesso suspeito, compra suspeita, se nao foi, se nao
      reconhece, nao reconhece`),
  },
  virus: {
    phrases: parsePhrases(`
      with a virus, virus detected, viruses found, a virus on, malware was, malware detected, malware on
      your, is infected, has been infected, been hacked, i hacked, we hacked, viruses, trojan, trojans,
      been compromised, spyware detected, hacked your, mit viren, ist infiziert, wurde gehackt, est
      infecte, a ete pirate, piratage, esta infectado, ha sido hackeado, e infetto, e stato hackerato,
      is besmet, is gehackt, esta infectado, foi hackeado`),
  },
  prize: {
    phrases: parsePhrases(`
      ha sido seleccionado, avez ete selectionne, e stato selezionato, sei stato selezionato, su
      devolucion, bent geselecteerd, you have won, you ve won, you won, claim your, claim a, claim it,
      to claim, been selected, selected to receive, free gift, gift voucher, cash prize, jackpot, lucky
      draw, your reward, rewards points, unclaimed, tax refund, tax rebate, refund of, a refund, your
      refund, rebate, free entry, prize, winner, cash back, compensation, inheritance, next of kin,
      eligible for a, entitled to, gewonnen, ihr gewinn, steuererstattung, ruckerstattung, ruckzahlung,
      sie wurden ausgewahlt, erbschaft, vous avez gagne, gagnant, remboursement, un cadeau, trop percu,
      heritage, tirage au sort, ha ganado, has ganado, premio, reembolso, un regalo, sorteo, herencia,
      hai vinto, ha vinto, un premio, rimborso, un regalo, vincitore, eredita, gewonnen, prijs gewonnen,
      terugbetaling, teruggave, teruggaaf, erfenis, ganhou, foi sorteado, premio, restituicao, brinde,
      heranca, voce foi selecionado, foi selecionado`),
  },
  earnings: {
    phrases: parsePhrases(`
      your commission, commission of, earn up to, earn from, earn between, you can earn, to earn, earn
      <money>, daily profit, daily income, guaranteed returns, guaranteed profit, guaranteed return,
      passive income, work from home, part time job, online job, remote job, flexible hours, double
      your, doubled my, risk free, high returns, returns of, weekly profit, financial freedom, job
      offer, job opportunity, commissions, withdraw your profit, tagesverdienst, verdienen sie,
      nebenjob, homeoffice job, garantierte rendite, rendite, passives einkommen, gagnez, gagner, a
      domicile, rendement garanti, revenus passifs, gane, gana, ganar, ganancias, trabajo desde casa,
      rentabilidad, teletrabajo, guadagna, guadagnare, guadagni, lavoro da casa, guadagno, verdien,
      verdienen, thuiswerk, bijbaan, bijverdienen, rendement, ganhe, ganhar, lucro, lucros, trabalho
      remoto, trabalhe em casa, renda extra`),
    verbs: parsePhrases(`
      earn, salary, job, homeoffice, trabajo, lavoro, emploi, remote, part, verdienen, verdiene`),
    nouns: parsePhrases(
      'per day, a day, daily, pro tag, am tag, taglich, par jour, por dia, al dia, diarios, al giorno, per dag',
    ),
    states: 'any',
  },
  offer: {
    phrases: parsePhrases(`
      a loan, loan of, loan offer, personal loan, payday loan, student loan, un pret, pret personnel,
      pret rapide, ihr kredit, einen kredit, loans, pre approved, preapproved, lower your, extended
      warranty, car warranty, vehicle warranty, auto warranty, debt relief, student loan forgiveness,
      interest rate, credit card debt, bad credit, insurance quote, health insurance, life insurance,
      medicare plan, solar panels, free solar, special offer, limited time offer, exclusive offer,
      discount, percent off, half price, special price, sofortkredit, ohne schufa, sonderangebot, credit
      rapide, offre speciale, panneaux solaires, prestamo, prestamos, oferta especial, descuento,
      prestito, prestiti, offerta speciale, sconto, lening, leningen, korting, emprestimo, desconto,
      oferta exclusiva`),
  },
  meeting: {
    phrases: parsePhrases(`
      wrong number, nice to meet you, i saw your profile, saw your profile, are you single, looking for
      a man, make friends, be friends, be my friend, my dear, darling, my love, get to know you, chat
      with me, sexy, hookup, do you remember me, still remember me, long time no see, lernen wir uns
      kennen, dich kennenlernen, dein profil, mein schatz, falsche nummer, faire connaissance, ton
      profil, ma cherie, mon cheri, mauvais numero, conocerte, tu perfil, mi amor, numero equivocado,
      conoscerti, tuo profilo, amore mio, numero sbagliato, leren kennen, jouw profiel, je profiel,
      verkeerd nummer, te conhecer, seu perfil, teu perfil, meu amor, numero errado`),
  },
} as const satisfies Record<string, TacticWords>;
