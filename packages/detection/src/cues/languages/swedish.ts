import { parsePhrases } from '../parse-phrases.ts';
import type { LanguageCues } from './language-cues.ts';

const GIVE = 'skicka, uppge, ange, dela, ge mig, svara, las upp, vidarebefordra, lamna, sms a, skriv';

export const SWEDISH: LanguageCues = {
  tactics: {
    one_time_code: {
      verbs: parsePhrases('skicka, uppge, ge mig, svara, las upp, vidarebefordra, sms a, kan du skicka'),
      nouns: parsePhrases(
        'koden, kod, sms kod, sms koden, engangskod, engangskoden, verifieringskod, verifieringskoden, sakerhetskod, sakerhetskoden, koden du',
      ),
    },
    remote_access: { verbs: parsePhrases('installera, ladda ner, oppna, ladda ned') },
    irrevocable_payment: {
      verbs: parsePhrases('kop, kopa, skicka, betala, overfor'),
      nouns: parsePhrases('presentkort, presentkorten, google play kort, paysafekort, i bitcoin'),
    },
    credentials: {
      phrases:
        parsePhrases(`bekrafta dina uppgifter, uppdatera dina uppgifter, verifiera ditt konto, verifiera din identitet, bekrafta din identitet, bekrafta ditt konto, verifiera dig, uppdatera din adress,
        bekrafta din adress, uppdatera dina kortuppgifter, legitimera dig med bankid, identifiera dig med bankid, signera med bankid, logga in med bankid, verifiera med bankid, bekrafta med bankid`),
      verbs: parsePhrases(`${GIVE}, fyll i, bekrafta, uppdatera, verifiera`),
      nouns: parsePhrases(
        'losenord, losenordet, kortuppgifter, kortnummer, kortnumret, kontouppgifter, personuppgifter, personnummer, pinkod, bankuppgifter, dina uppgifter, kontonummer, clearingnummer, cvv, inloggningsuppgifter',
      ),
    },
    sign_in: { phrases: parsePhrases('logga in har, logga in for att, logga in pa') },
    fee: {
      phrases: parsePhrases(
        'betala nu, betala direkt, betala har, swisha till, betala omgaende, genomfor betalningen, slutfor betalningen, swisha mig, kan du swisha, betala via',
      ),
      verbs: parsePhrases('betala, swisha, skicka, overfor, satt in, betalas, for over'),
      nouns: parsePhrases(
        'avgift, avgiften, avgifter, fraktavgift, fraktavgiften, tullavgift, tullavgiften, frakten, faktura, fakturan, boter, boten, skuld, skulden, handpenning, deposition, belopp, beloppet, skatt, pengar, forsakring, p bot, trangselskatt',
      ),
    },
    call_back: {
      phrases: parsePhrases(
        'ring genast, ring oss, ring omgaende, ring direkt, vanligen ring, ring tillbaka, tryck 1, ring numret, ring kundtjanst, ring support',
      ),
      verbs: parsePhrases('ring, ringa'),
    },
    secrecy: {
      phrases: parsePhrases(
        'beratta inte for nagon, sag inget till, sag inte till, hall det hemligt, mellan oss, beratta inget for, sag det inte till nagon, beratta inte for banken',
      ),
    },
    elsewhere: {
      phrases: parsePhrases('spara mitt nummer, spara mitt nya nummer, spara numret'),
      verbs: parsePhrases('skriv, kontakta, lagg till, skriv till mig, hor av dig, ga med, fortsatt'),
    },
    open_link: {
      phrases: parsePhrases(
        'klicka har, klicka pa lanken, klicka nedan, folj lanken, via lanken, via lank, pa lanken, lanken nedan, oppna lanken',
      ),
      verbs: parsePhrases(
        'klicka, oppna, besok, logga, uppdatera, bekrafta, betala, verifiera, hamta, spara, folj, har, fornya, aktivera, boka, ansok',
      ),
    },
    new_number: {
      phrases: parsePhrases(
        'mitt nya nummer, mitt nya mobilnummer, nytt nummer, bytt nummer, tappat min mobil, tappade min mobil, min mobil ar trasig, mobilen ar trasig, telefonen ar trasig, mobilen gick sonder, min telefon ar trasig, telefonen gick sonder, tappade mobilen',
      ),
    },
    blocked: {
      phrases:
        parsePhrases(`har sparrats, har blockerats, har stangts av, har begransats, kommer att sparras, kommer att stangas, kommer att blockeras, kommer att avslutas, ar sparrat, ar sparrad, ar blockerat, tillfalligt sparrat, tillfalligt last,
        stangs av, sparras idag, begransas om, raderas permanent, har lasts, ar tillfalligt avstangt, konto begransas`),
      verbs: parsePhrases(
        'sparrat, sparrats, blockerat, blockerats, avstangt, begransat, begransats, sparras, blockeras',
      ),
      nouns: parsePhrases('konto, bankid, kort, bankkort, kontot, abonnemang'),
    },
    threat: {
      phrases: parsePhrases(
        'inkasso, kronofogden, rattsliga atgarder, rattslig atgard, arresteringsorder, polisanmalan, skickas tillbaka, atersands, returneras till avsandaren, betalningsanmarkning, gar till domstol, skickas i retur, forseningsavgift',
      ),
    },
    haste: {
      phrases: parsePhrases(
        'bradskande, omgaende, genast, inom 24 timmar, inom 48 timmar, sista chansen, sista paminnelse, sista paminnelsen, sista varningen, senast idag, akut, innan det ar for sent, upphor idag, gar ut idag',
      ),
    },
    payment_problem: {
      phrases: parsePhrases(
        'obetald, obetalt, obetalda, betalningen misslyckades, betalning nekades, betalningen nekades, forfallen, utestaende, vantar pa betalning, kunde inte dras, betalningen kunde inte, misslyckad betalning',
      ),
    },
    delivery_problem: {
      phrases: parsePhrases(
        'kunde inte levereras, kan inte levereras, felaktig adress, ofullstandig adress, kunde inte lamnas ut, har stoppats pa terminalen, misslyckad leverans, leveransen misslyckades',
      ),
      verbs: parsePhrases('vantar, stoppats, stoppat, fastnat, forsenat, halls'),
      nouns: parsePhrases('ditt paket, paketet, forsandelse, din forsandelse'),
    },
    unknown_activity: {
      phrases: parsePhrases(
        'om det inte var du, misstankt transaktion, misstankt aktivitet, ovanlig inloggning, ovanlig aktivitet, misstankt inloggning, okand enhet, ny enhet, obehorig, misstankt kop',
      ),
    },
    virus: { phrases: parsePhrases('har virus, infekterad, virus har hittats, har hackats, blivit hackad') },
    prize: {
      phrases: parsePhrases(
        'du har vunnit, du vann, hamta din vinst, din vinst, ditt pris, utvald att, skatteaterbaring, grattis du, har utsetts, vinnare, din aterbaring',
      ),
    },
    earnings: {
      phrases: parsePhrases(
        'tjana pengar, tjana upp till, extrajobb, distansarbete, jobba hemifran, garanterad avkastning, passiv inkomst, hemifran, extra inkomst, daglig inkomst, din provision, garanterad vinst, riskfritt',
      ),
    },
    offer: {
      phrases: parsePhrases('ditt lan, lan utan uc, snabblan, laneerbjudande, lanet ar godkant, sms lan'),
    },
    meeting: {
      phrases: parsePhrases(
        'fel nummer, trevligt att traffas, lara kanna dig, sag din profil, skrev till fel',
      ),
    },
    extortion: {
      phrases: parsePhrases(
        'jag har filmat dig, har dina bilder, alla dina kontakter, till alla dina, din webbkamera, har spelat in dig',
      ),
    },
    unreachable: {
      phrases: parsePhrases(
        'sitter i mote, sitter i ett mote, kan inte prata, kan inte ringa, ar i ett mote',
      ),
    },
    vague_greeting: {
      phrases: parsePhrases('basta kund, kara kund, basta anvandare, kara anvandare, hej kund'),
    },
  },
  topics: {
    delivery_scam: parsePhrases(
      'ditt paket, postnord, forsandelse, din forsandelse, fraktavgift, tullavgift, instabox, budbee, leverans, paketinfo',
    ),
    toll_or_fine_scam: parsePhrases(
      'trangselskatt, parkeringsbot, p bot, fortkorning, transportstyrelsen, bot for',
    ),
    otp_request: parsePhrases('skicka koden, koden du far, koden du fick, las upp koden'),
    tax_scam: parsePhrases('skatteverket, skatteaterbaring, restskatt, forsakringskassan, skattekonto'),
    bank_impersonation: parsePhrases(
      'swedbank, handelsbanken, nordea, seb, bankid, ditt bankkonto, din bank, ditt kort, bankkort, sakerhetsavdelning, ditt bankid',
    ),
    account_takeover: parsePhrases(
      'ditt konto, ditt abonnemang, prenumeration, din prenumeration, ditt medlemskap',
    ),
    tech_support_scam: parsePhrases('din dator, datorn, teknisk support, fjarrstyra'),
    family_emergency: parsePhrases(
      'hej mamma, hej pappa, mitt nya nummer, mormor det ar jag, farmor det ar jag, har krockat, tappat min mobil',
    ),
    extortion: parsePhrases('jag har filmat dig, har dina bilder, alla dina kontakter'),
    crypto_scam: parsePhrases(
      'kryptovaluta, krypto, investera, investering, investeringar, avkastning, aktietips',
    ),
    job_scam: parsePhrases(
      'extrajobb, distansarbete, jobba hemifran, jobberbjudande, rekryterare, rekryteringsbyra, hemifran',
    ),
    prize_scam: parsePhrases(
      'du har vunnit, vinst, din vinst, presentkort, tavling, grattis, lotteri, vinnare',
    ),
    loan_scam: parsePhrases('snabblan, ditt lan, lan utan, sms lan, arvet'),
    business_email_compromise: parsePhrases(
      'nytt bankgiro, nya bankuppgifter, andrade bankuppgifter, bifogad faktura, nytt kontonummer',
    ),
    marketplace_scam: parsePhrases('blocket, tradera, din annons, koparen har betalat, din vara'),
    romance_scam: parsePhrases('fel nummer, alskling, lara kanna dig'),
    insurance_or_debt_scam: parsePhrases('inkasso, kronofogden'),
  },
};
