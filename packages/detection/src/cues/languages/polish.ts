import { parsePhrases } from '../parse-phrases.ts';
import type { LanguageCues } from './language-cues.ts';

const GIVE = `podaj, prosze podac, podac, wyslij, przeslij, przekaz, podyktuj, odeslij, napisz, podeslij, podasz, wyslesz, odpisz, prosze przeslac`;

export const POLISH: LanguageCues = {
  tactics: {
    one_time_code: {
      verbs: parsePhrases(GIVE),
      finalVerbs: parsePhrases(
        'prosze mi podac, prosze podac, podaj mi, przeslij mi, wyslij mi, podeslij mi',
      ),
      nouns: parsePhrases(
        'kod, kod sms, kod z sms, kod blik, kod weryfikacyjny, kod autoryzacyjny, 6 cyfr, kod ktory',
      ),
    },
    remote_access: {
      verbs: parsePhrases('zainstaluj, pobierz, pobrac, prosze zainstalowac, uruchom, zainstalowac'),
    },
    irrevocable_payment: {
      verbs: parsePhrases('kup, kupic, kupisz, wyslij, wplac, przeslij, zaplac'),
      nouns: parsePhrases(
        'karty podarunkowe, karte podarunkowa, kod blik, blikiem, karty google play, karty steam, w bitcoinach',
      ),
    },
    credentials: {
      phrases:
        parsePhrases(`potwierdz dane, zaktualizuj dane, zweryfikuj dane, zweryfikuj konto, potwierdz tozsamosc, zweryfikuj tozsamosc, potwierdz swoje dane,
        zaktualizuj swoje dane, zaktualizuj adres, potwierdz adres, podaj dane, uzupelnij dane, zweryfikuj swoje konto, potwierdz konto, wymagamy potwierdzenia danych`),
      verbs: parsePhrases(`${GIVE}, potwierdz, zaktualizuj, zweryfikuj, wpisz, uzupelnij, wprowadz, wpisac`),
      nouns: parsePhrases(
        'haslo, pin, numer karty, dane karty, dane logowania, dane osobowe, pesel, numer konta, dane do logowania, dane bankowe, swoje dane, dowodu, cvv, login',
      ),
    },
    sign_in: { phrases: parsePhrases('zaloguj sie, prosze sie zalogowac') },
    fee: {
      phrases:
        parsePhrases(`ureguluj naleznosc, doplac, oplac teraz, zaplac teraz, ureguluj, dokonaj platnosci, dokonaj wplaty, oplac zaleglosc, prosze o pilny przelew, zrob przelew, zrobisz przelew, wykonaj przelew,
        prosze wplacic, nalezy oplacic`),
      verbs: parsePhrases(
        'zaplac, oplac, wplac, przelej, ureguluj, doplac, zaplacic, oplacic, wplacic, uregulowac, pozyczysz',
      ),
      nouns: parsePhrases(
        'oplate, oplaty, clo, podatek, kaucje, mandat, zaleglosc, naleznosc, rachunek, fakture, zaliczke, zadatek, prowizje, depozyt, kwote, doplate, ubezpieczenia, pieniadze, dlug, zadluzenie',
      ),
    },
    call_back: {
      phrases: parsePhrases(
        'zadzwon natychmiast, prosze zadzwonic, zadzwon pod, prosze o pilny kontakt, prosze oddzwonic, oddzwon, nacisnij 1, wybierz 1, zadzwon do nas',
      ),
      verbs: parsePhrases('zadzwon, dzwon, oddzwon, zadzwonic'),
    },
    secrecy: {
      phrases: parsePhrases(
        'nikomu nie mow, prosze nikomu nie mowic, nie mow nikomu, nie mow mamie, nie mow tacie, niech to zostanie miedzy nami, zachowaj dyskrecje, nie informuj banku, nie rozlaczaj sie',
      ),
    },
    elsewhere: {
      phrases: parsePhrases('zapisz moj numer, zapisz ten numer'),
      verbs: parsePhrases('napisz, napisz do mnie, dolacz, pisz, skontaktuj sie'),
    },
    open_link: {
      phrases: parsePhrases(
        'kliknij w link, kliknij tutaj, kliknij link, wejdz w link, pod linkiem, kliknij ponizej, w linku, ponizszy link',
      ),
      verbs: parsePhrases(
        'kliknij, wejdz, sprawdz, zaloguj, odbierz, potwierdz, zaktualizuj, oplac, doplac, ureguluj, zaplac, na, pod, tutaj, anuluj, zarejestruj',
      ),
    },
    new_number: {
      phrases: parsePhrases(
        'moj nowy numer, nowy numer telefonu, z nowego numeru, zmienilam numer, zmienilem numer, zepsul mi sie telefon, telefon mi sie zepsul, telefon wpadl, telefon mi wpadl, zgubilam telefon, zgubilem telefon, popsul mi sie telefon, stluklam telefon, numer kolezanki',
      ),
    },
    blocked: {
      phrases:
        parsePhrases(`zostalo zablokowane, zostala zablokowana, zostal zablokowany, konto zablokowane, zostanie zablokowane, zostanie zablokowana, zostanie zablokowany, zostalo zawieszone, zostanie zawieszone,
        zostala zawieszona, zostanie usuniete, zostalo ograniczone, dostep zostal ograniczony, dostep zostal zablokowany, konto zostanie zamkniete, zostanie odlaczony, blokada konta, blokada dostepu, zostanie wylaczony, zamkniecie rachunku, konto zawieszone`),
    },
    threat: {
      phrases: parsePhrases(
        'wszczecie egzekucji, postepowanie egzekucyjne, sprawa trafi do sadu, komornik, komornika, droga sadowa, do windykacji, nakaz aresztowania, postepowanie sadowe, zwrocona do nadawcy, wpis do krd, bedzie zwrocona, odciecie pradu',
      ),
    },
    haste: {
      phrases: parsePhrases(
        'pilne, pilnie, natychmiast, niezwlocznie, ostatnia szansa, ostatnie ostrzezenie, ostatnie wezwanie, w ciagu 24, w ciagu 24h, w ciagu 48, wygasa dzis, wygasaja dzis, do konca dnia, jeszcze dzis, ostateczne wezwanie',
      ),
    },
    payment_problem: {
      phrases: parsePhrases(
        'nieoplacony, nieoplacona, nieoplacone, zaleglosc, niedoplata, platnosc odrzucona, platnosc nieudana, platnosc nie powiodla, nieuregulowana, zalegla platnosc, przeterminowana, oczekuje na doplate, nie udalo sie pobrac',
      ),
    },
    delivery_problem: {
      phrases: parsePhrases(
        'nie mogla zostac doreczona, nie moglismy dostarczyc, nie udalo sie doreczyc, nie udalo sie dostarczyc, niepelnego adresu, bledny adres, nieprawidlowy adres, niekompletny adres, zatrzymana w magazynie',
      ),
      verbs: parsePhrases('wstrzymana, wstrzymano, zatrzymana, zatrzymano, oczekuje'),
      nouns: parsePhrases('paczka, przesylka, paczke, przesylke'),
    },
    unknown_activity: {
      phrases: parsePhrases(
        'jesli to nie ty, jezeli to nie ty, podejrzana transakcje, podejrzane logowanie, nietypowe logowanie, nietypowa aktywnosc, podejrzana transakcja, nieautoryzowana transakcja, nieautoryzowany dostep, z nowego urzadzenia, podejrzana aktywnosc',
      ),
    },
    virus: {
      phrases: parsePhrases(
        'jest zainfekowany, wykryto wirusa, wykryto wirusy, zlosliwe oprogramowanie, zostal zainfekowany',
      ),
    },
    prize: {
      phrases: parsePhrases(
        'wygrales, wygralas, zostales wybrany, zostala pani wybrana, twoja nagroda, odbierz nagrode, na nagrode, wygrana, zwrot podatku, odbierz prezent, nadplata podatku, odbierz zwrot, zwyciezca',
      ),
    },
    earnings: {
      phrases: parsePhrases(
        'zarabiaj, zarobek, zarobki, praca zdalna, pasywny dochod, gwarantowany zysk, zysk gwarantowany, dodatkowy dochod, praca dorywcza, bez ryzyka, zarob, dzienny zarobek, twoja prowizja',
      ),
    },
    offer: {
      phrases: parsePhrases(
        'pozyczka bez bik, szybka pozyczka, kredyt bez, pozyczka zostala przyznana, pozyczka online, chwilowka, chwilowki, pozyczka na dowod',
      ),
    },
    meeting: {
      phrases: parsePhrases(
        'zly numer, pomylka numeru, milo cie poznac, poznajmy sie, widzialem twoj profil, zly kontakt',
      ),
    },
    extortion: {
      phrases: parsePhrases(
        'nagralem cie, mam twoje zdjecia, mam twoje nagranie, do wszystkich kontaktow, twoich kontaktow, wszyscy zobacza, kamerki',
      ),
    },
    unreachable: {
      phrases: parsePhrases(
        'jestem na spotkaniu, nie moge rozmawiac, nie moge teraz rozmawiac, nie moge dzwonic',
      ),
    },
    vague_greeting: {
      phrases: parsePhrases(
        'szanowny kliencie, drogi kliencie, drogi uzytkowniku, szanowni panstwo kliencie, szanowny uzytkowniku',
      ),
    },
  },
  topics: {
    delivery_scam: parsePhrases(
      'twoja paczka, paczka, przesylka, inpost, paczkomat, kurier, poczta polska, paczki, przesylki',
    ),
    toll_or_fine_scam: parsePhrases(
      'mandat karny, niezaplacony mandat, e toll, oplata parkingowa, autostrady',
    ),
    otp_request: parsePhrases('podaj kod, wyslij kod, przeslij kod, kod blik, podasz kod'),
    tax_scam: parsePhrases(
      'urzad skarbowy, zwrot podatku, krajowa administracja skarbowa, e urzad, nadplata podatku',
    ),
    bank_impersonation: parsePhrases(
      'pko bp, mbank, santander bank, ing bank, pekao, twoj bank, karta platnicza, rachunek bankowy, dostep do konta, bankowosc internetowa, na twoim koncie, z twojego konta, przelew na kwote, dzial bezpieczenstwa',
    ),
    account_takeover: parsePhrases('twoje konto, subskrypcja, konto zostalo, twoja subskrypcja'),
    tech_support_scam: parsePhrases('twoj komputer, wsparcie techniczne, jest zainfekowany'),
    family_emergency: parsePhrases(
      'czesc mamo, hej mamo, mamo to ja, tato to ja, moj nowy numer, babciu to ja, mialem wypadek, spowodowalem wypadek, zepsul mi sie telefon',
    ),
    extortion: parsePhrases('nagralem cie, mam twoje nagranie, do wszystkich kontaktow'),
    crypto_scam: parsePhrases(
      'kryptowaluty, kryptowalut, inwestycje, inwestycja, inwestuj, zainwestuj, bitcoiny, platforma inwestycyjna',
    ),
    job_scam: parsePhrases(
      'praca zdalna, oferta pracy, praca dorywcza, zarobki, dodatkowa praca, rekrutacja, praca z domu, praca online',
    ),
    prize_scam: parsePhrases(
      'wygrales, wygralas, nagroda, nagrode, loteria, karta podarunkowa, kupon, losowanie',
    ),
    loan_scam: parsePhrases('pozyczka, pozyczki, kredyt, chwilowka, spadek'),
    business_email_compromise: parsePhrases(
      'zmiana numeru konta, nowy numer konta, nowe dane bankowe, faktura w zalaczniku, zaleglej faktury, zalegla faktura',
    ),
    marketplace_scam: parsePhrases(
      'olx, allegro, vinted, kupujacy zaplacil, twoje ogloszenie, twoj przedmiot',
    ),
    romance_scam: parsePhrases('kochanie, zly numer, poznac cie'),
    insurance_or_debt_scam: parsePhrases('zadluzenie, windykacja'),
  },
};
