import { parsePhrases } from '../parse-phrases.ts';
import type { LanguageCues } from './language-cues.ts';

/** Scams in the Philippines mix Tagalog with English; these are the Tagalog and the mixed words. */
const GIVE = `ibigay, pakibigay, bigay, ipadala, pakisend, paki send, pa send, padala, sabihin, pakisabi, ibahagi, i share, ilagay, i send, isend, i reply, i forward,
  paki forward, paki bigay, bigay mo, pahingi`;

export const TAGALOG: LanguageCues = {
  tactics: {
    one_time_code: {
      verbs: parsePhrases(
        'ibigay, pakibigay, ipadala, pakisend, paki send, pa send, sabihin, pakisabi, ibahagi, i share mo, i send mo, isend, i forward mo, paki forward, paki bigay, bigay mo, pahingi',
      ),
      nouns: parsePhrases('ang code, yung code, ang otp, yung otp, 6 digit, 6 digits'),
    },
    remote_access: {
      verbs: parsePhrases(
        'i download ang, i download mo, i install ang, i install mo, mag install, mag download, idownload, iinstall, buksan',
      ),
    },
    irrevocable_payment: {
      verbs: parsePhrases('bumili, bili ka, mag send, magpadala, magbayad, ipadala, magpa load, mag load'),
      nouns: parsePhrases('steam card, gift card, google play card'),
    },
    credentials: {
      phrases: parsePhrases(
        'i verify ang account, i verify ang iyong, i update ang details, i update ang iyong, i confirm ang iyong, i update ang address, i confirm ang password, i update ang account, i verify ang details, i verify ang wallet, i claim gamit ang mpin',
      ),
      verbs: parsePhrases(`${GIVE}, i confirm, i verify, i update, ihanda, i type, gamit`),
      nouns: parsePhrases(
        'ang mpin, mpin, ang pin, ang password, ang card number, card number, account number, ang details, valid id, ang pangalan at address, ang iyong pin, ang impormasyon',
      ),
    },
    sign_in: { phrases: parsePhrases('mag log in, mag login, i log in, pakilog in') },
    fee: {
      phrases: parsePhrases(
        'magbayad na, magbayad muna, magbayad ng, bayaran ang, bayaran na, bayaran bago, i settle ang, mag deposit ng, pa send muna, magpadala ng',
      ),
      verbs: parsePhrases(
        'magbayad, bayaran, i settle ang, mag deposit, magpadala, pakibayaran, mag send, pa send, top up',
      ),
      nouns: parsePhrases(
        'ang fee, ng fee, processing fee, delivery fee, ang utang, multa, ang bill, ang bayad, piyansa, ang tax, ng tax, ang balance, pera, transfer fee',
      ),
    },
    call_back: {
      phrases: parsePhrases(
        'tumawag agad, tawagan agad, tumawag sa, tawagan ang, pindutin ang 1, tawag agad, i dial ang',
      ),
      verbs: parsePhrases('tumawag, tawagan, tawag, i text mo, mag text'),
    },
    secrecy: {
      phrases: parsePhrases(
        'wag mong sabihin, huwag mong sabihin, wag sabihin kahit kanino, huwag sabihin kahit kanino, wag mo sabihin, wag ipaalam, atin atin lang, satin lang to, huwag ipaalam, secret lang',
      ),
    },
    elsewhere: {
      phrases: parsePhrases('save mo number, i save ang number, save nyo number ko, i save mo'),
      verbs: parsePhrases('mag message, i add mo, sumali, mag chat, message mo ako, i message mo'),
    },
    open_link: {
      phrases: parsePhrases(
        'i click ang link, pindutin ang link, i click ito, i click dito, buksan ang link, click mo, sa link na ito, i tap ang link, puntahan ang',
      ),
      verbs: parsePhrases(
        'i click ang, i click mo, pindutin, buksan, bisitahin, i claim ang, i verify ang, i update ang, i confirm ang, kunin, bayaran, mag register, i open ang',
      ),
    },
    new_number: {
      phrases: parsePhrases(
        'bago kong number, bagong number ko, new number ko, nagpalit ako ng number, nasira cp ko, nasira ang cp ko, nasira phone ko, nawala phone ko, nawala cp ko, nawala ang cellphone ko, sira ang phone ko, ito na bago kong, ito na ang bago kong',
      ),
    },
    blocked: {
      phrases: parsePhrases(
        'ma block ang, mabo block, na block ang, na lock ang, ma lock ang, masususpinde, na suspend ang, ma suspend ang, ma suspend, made deactivate, ma deactivate, ma disable, na disable, puputulin, naka lock ang, isasara ang, ma freeze, na freeze, naka hold ang account, na limit ang',
      ),
    },
    threat: {
      phrases: parsePhrases(
        'makukulong, ipapakulong, may warrant, kakasuhan, idedemanda, ibabalik sa sender, mahuhuli ka, makakasuhan, aarestuhin, pupuntahan ka namin',
      ),
    },
    haste: {
      phrases: parsePhrases(
        'agad agad, ngayon na, ngayong araw lang, sa loob ng 24 oras, sa loob ng 24, huling paalala, huling babala, huling pagkakataon, bago mahuli ang lahat, bago mag midnight, magmadali, mamayang gabi, last na to',
      ),
    },
    payment_problem: {
      phrases: parsePhrases(
        'hindi pa bayad, hindi nabayaran, may utang ka, may unpaid, overdue na, hindi pumasok ang bayad, hindi natuloy ang bayad, kulang ang bayad',
      ),
    },
    delivery_problem: {
      phrases: parsePhrases(
        'hindi na deliver, hindi ma deliver, hindi naihatid, mali ang address, kulang ang address, naka hold sa warehouse, naka hold sa customs, kulang ang details',
      ),
      verbs: parsePhrases('naka hold, na hold, hindi na deliver'),
      nouns: parsePhrases('parcel mo, package mo, iyong parcel, iyong package, padala mo'),
    },
    unknown_activity: {
      phrases: parsePhrases(
        'kung hindi ikaw, kung hindi ito ikaw, kahina hinalang, may nag login, may naka login, hindi mo ito ginawa, may nagtangkang, kung di ikaw ito',
      ),
    },
    virus: { phrases: parsePhrases('may virus, na hack ang, na hack ko') },
    prize: {
      phrases: parsePhrases(
        'nanalo ka, nanalo ang number, panalo ka, ang premyo, nanalo po, napili ka, napili ang iyong, i claim ang, libreng premyo, kunin ang premyo, may natanggap kang',
      ),
    },
    earnings: {
      phrases: parsePhrases(
        'kumita ng, kikita ka, kita araw araw, araw araw na kita, sure kita, extra income, doble ang pera, guaranteed na kita, kumita araw araw, kahit nasa bahay',
      ),
    },
    offer: {
      phrases: parsePhrases(
        'approved na ang loan, pautang, mabilis na loan, walang collateral, loan mo, easy loan',
      ),
    },
    meeting: {
      phrases: parsePhrases(
        'maling number, maling numero, nice to meet you po, pwede makipagkaibigan, pwede makipagkilala, na wrong send',
      ),
    },
    extortion: {
      phrases: parsePhrases(
        'ise send ko sa family, ikakalat ko, nirecord ko, i send ko sa lahat, ipapakalat ko, may scandal ka, may video ka sa akin',
      ),
    },
    unreachable: {
      phrases: parsePhrases(
        'nasa meeting ako, hindi ako makatawag, hindi ako pwede tumawag, di ako makatawag',
      ),
    },
    vague_greeting: {
      phrases: parsePhrases(
        'mahal na customer, minamahal naming customer, dear suki, mahal naming customer, ka gcash',
      ),
    },
  },
  topics: {
    delivery_scam: parsePhrases(
      'parcel mo, ang parcel, package mo, lbc, j t express, shopee express, ninja van, iyong package, naka hold sa warehouse',
    ),
    toll_or_fine_scam: parsePhrases('lto, mmda, ncap, autosweep, easytrip, rfid, no contact violation'),
    otp_request: parsePhrases(
      'pakibigay ang otp, yung code ko, pa send ng code, ibigay ang otp, code na natanggap',
    ),
    tax_scam: parsePhrases('sss, philhealth, pag ibig, dswd'),
    bank_impersonation: parsePhrases(
      'gcash, bdo, bpi, metrobank, landbank, unionbank, bank account mo, gcash account, ang account nyo, card mo',
    ),
    account_takeover: parsePhrases('account mo, ang iyong account, fb account, facebook account mo, page mo'),
    tech_support_scam: parsePhrases('computer mo, phone mo ay may virus, may virus ang'),
    family_emergency: parsePhrases(
      'bago kong number, anak nyo, anak ninyo, nabangga, naaksidente, nasa presinto, nasa ospital, apo nyo, nasira cp ko',
    ),
    extortion: parsePhrases('nirecord ko, ikakalat ko, may scandal ka'),
    crypto_scam: parsePhrases('mag invest, puhunan, crypto, kumita ng'),
    job_scam: parsePhrases(
      'trabaho, part time job, online job, kumita araw araw, sahod, hiring po, raket, hiring kami',
    ),
    prize_scam: parsePhrases('nanalo ka, premyo, raffle, panalo, napili ka, libreng'),
    loan_scam: parsePhrases('pautang, loan mo, utang, easy loan, pahiram'),
    marketplace_scam: parsePhrases('dp muna, rush sale, no meetup, reserve agad, down muna'),
    romance_scam: parsePhrases('maling number, wrong send, mahal ko, makipagkaibigan'),
  },
};
