import { parsePhrases } from '../parse-phrases.ts';
import type { LanguageCues } from './language-cues.ts';

/** Verbs follow their nouns. A negated imperative is a different word: `gondermeyin`. */
const GIVE = `gonderin, gonderiniz, gonder, gonderir misin, gonderir misiniz, yazin, yazar misin, soyleyin, soyle, soyler misin, paylasin, paylas, paylasir misin, iletin,
  iletir misin, atar misin, atar misiniz, at bana, verin, bildirin, okuyun, ver bana`;

export const TURKISH: LanguageCues = {
  tactics: {
    one_time_code: {
      finalVerbs: parsePhrases(GIVE),
      nouns:
        parsePhrases(`kodu, onay kodu, onay kodunu, dogrulama kodu, dogrulama kodunu, sms kodu, sms kodunu, 6 haneli kodu, 6 haneli kod, gelen kod,
        gelen kodu, sifreyi, sms sifresini, guvenlik kodunu`),
    },
    remote_access: { finalVerbs: parsePhrases('indirin, yukleyin, kurun, acin') },
    irrevocable_payment: {
      finalVerbs: parsePhrases('alin, alir misin, alir misiniz, gonderin, gonder, yatirin, alip'),
      nouns: parsePhrases(
        'hediye karti, hediye kartlari, google play karti, itunes karti, steam karti, papara',
      ),
    },
    credentials: {
      phrases:
        parsePhrases(`hesabinizi dogrulayin, kimliginizi dogrulayin, bilgilerinizi guncelleyin, bilgilerinizi dogrulayin, bilgilerinizi onaylayin, adresinizi guncelleyin,
        kart bilgilerinizi girin, kart bilgilerinizi guncelleyin, bilgilerinizi girin, sifrenizi girin, hesabinizi onaylayin, adresinizi onaylayin`),
      finalVerbs: parsePhrases(
        `${GIVE}, girin, giriniz, girip, guncelleyin, dogrulayin, onaylayin, hazirlayin, doldurun`,
      ),
      nouns:
        parsePhrases(`sifrenizi, sifreni, kart bilgilerinizi, kart numaranizi, kart numarasini, kimlik bilgilerinizi, banka bilgilerinizi, kisisel bilgilerinizi, tc kimlik numaranizi, tc kimlik,
        t c no, cvv, kart sifrenizi, hesap bilgilerinizi, dogum tarihinizi, kimlik fotografinizi`),
    },
    fee: {
      phrases: parsePhrases(
        'hemen odeyin, simdi odeyin, odeme yapin, odemenizi yapin, borcunuzu odeyin, odemeyi tamamlayin, ucretini odeyin, ucreti odeyin',
      ),
      finalVerbs: parsePhrases(
        'odeyin, odeyiniz, yatirin, yatir, gonderin, gonder, havale edin, odemeniz gerekiyor, gonderir misin',
      ),
      nouns:
        parsePhrases(`ucreti, ucretini, teslimat ucreti, kargo ucreti, gumruk vergisi, gumruk ucreti, vergi, vergiyi, ceza, cezayi, borcunuzu, borcu, fatura, faturanizi,
        kapora, kapora ucreti, dosya masrafi, masrafi, kayit ucreti, parayi, sigorta bedelini, parasini`),
    },
    call_back: {
      phrases: parsePhrases(
        'hemen arayin, bizi arayin, lutfen arayin, acilen arayin, numarayi arayin, destek hattini arayin, 1 e basin, 1 i tuslayin, 1 tusuna basin, 9 u tuslayin',
      ),
      finalVerbs: parsePhrases('arayin, arayiniz'),
      verbs: parsePhrases('arayin, arayiniz'),
    },
    secrecy: {
      phrases: parsePhrases(
        'kimseye soyleme, kimseye soylemeyin, aramizda kalsin, gizli tutun, kimseye bahsetme, kimseye bahsetmeyin, bankaya soylemeyin',
      ),
    },
    elsewhere: {
      phrases: parsePhrases('numarami kaydet, numarami kaydedin'),
      verbs: parsePhrases('yazin, ulasin, katil, katilin'),
      finalVerbs: parsePhrases('yazin, ulasin, katilin, gelin'),
      nouns: parsePhrases(
        'whatsapptan, whatsapp tan, telegramdan, telegram dan, telegram grubumuza, whatsapp grubumuza',
      ),
    },
    open_link: {
      phrases: parsePhrases(
        'linke tiklayin, linke tikla, buraya tiklayin, baglantiya tiklayin, linke girin, linkten, baglantidan, asagidaki link',
      ),
      verbs: parsePhrases(
        'tiklayin, tikla, giris, girin, giriniz, basvuru, odeme, icin, takip, katil, kontrol',
      ),
    },
    new_number: {
      phrases: parsePhrases(
        'yeni numaram, bu benim yeni numaram, numaram degisti, numarami degistirdim, telefonum bozuldu, telefonum kirildi, telefonum suya dustu, telefonumu kaybettim, telefonum calindi',
      ),
    },
    blocked: {
      phrases:
        parsePhrases(`askiya alindi, askiya alinmistir, askiya alinacak, askiya alinacaktir, bloke edildi, bloke edilmistir, bloke edilecek, hesabiniz kapatilacak, hesabiniz kapatilacaktir,
        kapatilacaktir, kisitlandi, kisitlanmistir, donduruldu, dondurulacak, kullanima kapatildi, gecici olarak durduruldu, hesabiniz bloke, kartiniz bloke, devre disi birakilacak, iptal edilecek, silinecek`),
    },
    threat: {
      phrases: parsePhrases(
        'yasal islem, haciz islemi, icra takibi, hakkinizda yakalama, tutuklama karari, icra islemi, gozaltina alinacak, iade edilecek, gondericiye iade, hapis cezasi, savcilik',
      ),
    },
    haste: {
      phrases: parsePhrases(
        'acil, acilen, hemen simdi, son uyari, son sans, son gun bugun, 24 saat icinde, 48 saat icinde, bugun son gun, derhal, gecikmeden, vakit kaybetmeden, son firsat',
      ),
    },
    payment_problem: {
      phrases: parsePhrases(
        'odemeniz alinamadi, odenmemis, odeme basarisiz, gecikmis borc, gecikmis odeme, odemeniz reddedildi, odenmemis borcunuz, borcunuz bulunmaktadir, vadesi gecmis, odeme gerceklesmedi',
      ),
    },
    delivery_problem: {
      phrases: parsePhrases(
        'teslim edilemedi, teslim edilememistir, dagitima cikamadi, adres eksikligi, eksik adres, adres hatasi, depoda bekletiliyor, depoda bekliyor, gumrukte bekliyor, gumruge takildi',
      ),
      verbs: parsePhrases('bekletiliyor, bekliyor, takildi, beklemede'),
      nouns: parsePhrases('kargonuz, gonderiniz, paketiniz, kargonuzun'),
    },
    unknown_activity: {
      phrases: parsePhrases(
        'supheli islem, supheli giris, supheli islemler, islemi siz yapmadiysaniz, siz degilseniz, size ait degilse, yeni cihazdan, bilginiz disinda, bilginiz disindaysa',
      ),
    },
    virus: {
      phrases: parsePhrases('virus bulundu, virus var, virus tespit edildi, virus bulasti, hacklendi'),
    },
    prize: {
      phrases: parsePhrases(
        'kazandiniz, odul kazandiniz, cekilis kazandiniz, odulunuz, hediye kazandiniz, odulunuzu alin, talihli, secildiniz, cekilisi kazandiniz, hediyenizi',
      ),
    },
    earnings: {
      phrases: parsePhrases(
        'gunluk kazanc, garanti kazanc, evden calisma, evde calisma, ek gelir, ek is, kazanc garantili, gunluk gelir, risksiz kazanc, garantili kazanc, pasif gelir, komisyon kazanin',
      ),
    },
    offer: {
      phrases: parsePhrases(
        'krediniz onaylandi, ihtiyac kredisi, kefilsiz kredi, aninda kredi, kredi firsati, faizsiz kredi',
      ),
    },
    meeting: {
      phrases: parsePhrases(
        'yanlis numara, tanisabilir miyiz, tanistigima memnun, profilini gordum, tanismak istiyorum',
      ),
    },
    extortion: {
      phrases: parsePhrases(
        'kameranizdan, goruntulerin elimde, goruntuleriniz elimizde, tum rehberine, rehberindeki herkese, ailene gonderirim, videonu kaydettim',
      ),
    },
    unreachable: { phrases: parsePhrases('toplantidayim, arayamiyorum, konusamiyorum, telefonla konusamam') },
    vague_greeting: {
      phrases: parsePhrases(
        'sayin musterimiz, degerli musterimiz, sayin kullanici, sayin abonemiz, degerli kullanici',
      ),
    },
  },
  topics: {
    delivery_scam: parsePhrases(
      'kargonuz, kargo, paketiniz, gonderiniz, ptt, yurtici kargo, aras kargo, teslim edilemedi, teslimat ucreti, gumruk',
    ),
    toll_or_fine_scam: parsePhrases(
      'trafik cezasi, hgs, ogs, hgs borcunuz, gecis ihlali, otoyol gecis, trafik cezaniz',
    ),
    otp_request: parsePhrases(
      'kodu atar misin, kodu gonderir misin, gelen kodu, onay kodunu gonder, kodu yazar misin',
    ),
    tax_scam: parsePhrases(
      'vergi borcunuz, vergi iadesi, gelir idaresi, e devlet, vergi dairesi, aidat iadesi',
    ),
    bank_impersonation: parsePhrases(
      'ziraat bankasi, is bankasi, garanti bbva, akbank, vakifbank, halkbank, yapi kredi, hesabiniz, kartiniz, kredi kartiniz, mobil bankacilik, havale isleminiz, musterimiz, hesabinizdan',
    ),
    account_takeover: parsePhrases(
      'uyeliginiz, aboneliginiz, instagram hesabiniz, whatsapp hesabiniz, facebook hesabiniz',
    ),
    tech_support_scam: parsePhrases('bilgisayariniz, bilgisayarinizda, teknik destek, uzaktan baglanti'),
    family_emergency: parsePhrases(
      'anne benim, baba benim, yeni numaram, telefonum bozuldu, kaza yaptim, anneanne, babaanne',
    ),
    extortion: parsePhrases('goruntulerin elimde, kameranizdan, rehberindeki herkese'),
    crypto_scam: parsePhrases('kripto, yatirim, hisse, borsa, sinyal grubu'),
    job_scam: parsePhrases(
      'ek is, evden calisma, is ilani, is firsati, paketleme isi, part time, gunluk odeme',
    ),
    prize_scam: parsePhrases('kazandiniz, cekilis, odul, hediye karti, talihli, bedava'),
    loan_scam: parsePhrases('krediniz, ihtiyac kredisi, kefilsiz, kredi'),
    business_email_compromise: parsePhrases(
      'yeni iban, banka hesap degisikligi, iban degisikligi, fatura ekte, odeme talimati',
    ),
    marketplace_scam: parsePhrases('sahibinden, ilaniniz, param guvende, kapora, ilandaki'),
    romance_scam: parsePhrases('yanlis numara, tanismak, askim'),
  },
};
