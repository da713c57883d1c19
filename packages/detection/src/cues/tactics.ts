import { CLAIMS } from './claims.ts';
import { parsePhrases } from './parse-phrases.ts';
import { REQUESTS } from './requests.ts';
import type { TacticWords } from './tactic-words.ts';

/** How a message manipulates a person, the strongest first. */
export const TACTICS = {
  ...REQUESTS,
  ...CLAIMS,
  open_link: {
    phrases: parsePhrases(`
      click here, click below, click the link, click on the link, click this link, tap here, tap the
      link, tap below, follow the link, follow this link, visit the link, use the link, link below, open
      the link, scan the qr, scan the code, auf den link, folgenden link, unter folgendem link, uber den
      link, klicken sie hier, klicken sie auf, hier klicken, cliquez ici, cliquez sur, via ce lien, sur
      ce lien, via le lien, sur le lien, haga clic, haz clic, pulse aqui, pincha aqui, pinche aqui, en
      el enlace, en este enlace, clicca qui, clicchi qui, al link, sul link, questo link, klik hier,
      klik op, via de link, via deze link, op de link, clique aqui, neste link, pelo link`),
    verbs: parsePhrases(`
      verifichi, aggiorni, choose, click, tap, visit, follow, open, go, check, track, download, view,
      see, pay, confirm, verify, update, claim, here, login, log, sign, apply, join, register, review,
      restore, schedule, reschedule, settle, complete, renew, unlock, secure, get, buy, redeem, now,
      start, cancel, start, book, read, upgrade, watch, vote, at, via, on, hier, unter, jetzt, prufen,
      bestatigen, bezahlen, ansehen, verfolgen, aktualisieren, anmelden, ici, sur, payez, payer, reglez,
      confirmez, verifiez, suivez, consultez, connectez, aqui, en, pague, confirme, verifique, acceda,
      actualice, siga, ingrese, entra, entre, consulte, qui, su, paga, verifica, conferma, acceda,
      accedi, aggiorna, segua, segui, visiti, via, op, betaal, bevestig, controleer, volg, bekijk, em,
      acesse, aceda, atualize, regularize, consulte, regulariza, visite, visita, a, al, da, su, ga,
      naar, klik, cliquez, clicca, clique, haga, pulse`),
    nouns: ['<link>'],
  },
  vague_greeting: {
    phrases: parsePhrases(`
      dear customer, dear user, valued customer, dear client, dear member, dear sir madam, dear sir or
      madam, dear friend, dear account holder, dear valued, dear taxpayer, dear beneficiary, dear
      winner, sehr geehrter kunde, lieber kunde, sehr geehrte kundin, sehr geehrter nutzer, liebe
      kundin, cher client, chere cliente, cher utilisateur, estimado cliente, estimada cliente, querido
      cliente, estimado usuario, gentile cliente, caro cliente, gentile utente, beste klant, geachte
      klant, geachte heer mevrouw, prezado cliente, caro cliente, estimado cliente, prezado usuario`),
  },
} as const satisfies Record<string, TacticWords>;

export type Tactic = keyof typeof TACTICS;
