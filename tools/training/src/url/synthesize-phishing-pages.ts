import { FAMILY, GIVEN, synthesizeSiteName } from './site-names.ts';
import { APPS, CHEAP, CLONES, LURES, misspelt, NAMES, nonsense, ODD } from './synthesize-phishing-urls.ts';
import { guid, HEX, LOWER, MIXED, PLAIN_WORDS, type WordBag } from './word-bag.ts';

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
/** Suffixes of names that attackers register. */
const OWN_SUFFIXES = 'com com com com net org info co us online app de co.uk pro cn com.cn com.vn'.split(' ');
/** Suffixes of sites that attackers broke into. */
const SITE_SUFFIXES =
  'com com com com com.br co.za in net org co.uk com.tr it de fr ch pl com.co co.id cl pk vn mx ro ru'.split(
    ' ',
  );
const PAGES = `
  login signin index home main verify update confirm auth secure account info page start payment card sms otp code
  loading acc logon webmail owa invoice document file track livraison paiement entrar acceso inicio portal cliente
  validation captcha redirect process billing identifiant step2 session_login verification unsupported reactivar
`
  .trim()
  .split(/\s+/);
const FOLDERS = `
  app web login pages client portal secure auth account en fr es de us uk img images css js assets files doc docs cloud
  online update verify mobile m bank wp old new test tmp cache includes inc lib wp-content wp-includes wp-admin
  wp-content/uploads wp-content/plugins .well-known cgi-bin public storage modules system admin media base main landing
  form user particulares cliente kunden espace colis suivi tracking mail webmail
`
  .trim()
  .split(/\s+/);
/** Domains under which providers name sites whose owners have no domain yet. */
const PROVIDERS = `
  mybluehost.me temporary.site wpenginepowered.com webcindario.com wuaze.com page.gd rf.gd swtest.ru tw1.ru plesk.page
  cprapid.com contaboserver.net altervista.org kinsta.cloud cloudaccess.host wpdevcloud.com iceiy.com
  strato-hosting.eu hostingersite.com 000webhostapp.com
`
  .trim()
  .split(/\s+/);
const PRIZES = 'mint airdrop wallet claim token swap pedagio rastreio desconto premio resgate box'.split(' ');
const WORKSHOPS = 'dev cmd source maker pixel hub'.split(' ');

type Synthesizer = (bag: WordBag) => string;

const ON_OWN_DOMAINS: readonly Synthesizer[] = [
  (bag) => `${maybeLure(bag)}${lureName(bag)}.${bag.one(OWN_SUFFIXES)}/${token(bag)}`,
  (bag) => `${maybeLure(bag)}${lureName(bag)}.${bag.one(OWN_SUFFIXES)}`,
  (bag) =>
    `${brandName(bag)}.${bag.one(OWN_SUFFIXES)}${bag.chance(0.4) ? `/${bag.one([token, page])(bag)}` : ''}`,
  (bag) =>
    `${misspelt(misspelt(bag.one(NAMES), bag), bag)}${bag.chance(0.3) ? joint(bag) + bag.one(LURES) : ''}.${bag.one(OWN_SUFFIXES)}${bag.chance(0.6) ? `/${bag.one([token, page, folders])(bag)}` : ''}`,
  (bag) => `${serviceName(bag)}.${bag.one(ODD)}${bag.chance(0.8) ? `/${servicePath(bag)}` : ''}`,
  (bag) => `${synthesizeSiteName(bag)}.${bag.one(OWN_SUFFIXES)}/${token(bag)}`,
  (bag) =>
    `${bag.one(NAMES)}.${bag.one([`${bag.letters(LOWER, 2)}-${bag.letters(LOWER, bag.number(3, 6))}`, nonsense(bag)])}.${bag.one(OWN_SUFFIXES)}${bag.chance(0.3) ? `/${page(bag)}` : ''}`,
];

const ON_OTHER_SITES: readonly Synthesizer[] = [
  (bag) => `${site(bag)}/${folders(bag)}/${page(bag)}${bag.one(['.php', '.php', '.html', '', '.htm'])}`,
  (bag) => `${site(bag)}/~${bag.letters(LOWER, 8)}/${folders(bag)}`,
  (bag) =>
    `${brandLabel(bag)}.${site(bag)}${bag.chance(0.4) ? `/${bag.one([token, page, folders])(bag)}` : ''}`,
  (bag) => `${lureLabel(bag)}.${site(bag)}/${bag.one([token, page, folders])(bag)}`,
  (bag) =>
    `${bag.one([synthesizeSiteName, nonsense])(bag)}.${bag.one([...SITE_SUFFIXES, ...CHEAP])}/${victim(bag)}`,
  (bag) =>
    `${bag.one([bag.one(PLAIN_WORDS), bag.letters(LOWER, 3)])}.${nonsense(bag)}.${bag.one([...SITE_SUFFIXES, ...CHEAP])}/${victim(bag)}`,
  (bag) => `${site(bag)}/${bag.chance(0.3) ? `${folders(bag)}/` : ''}${brandFolder(bag)}/${brandFile(bag)}`,
];

const ON_HOSTING_SERVICES: readonly Synthesizer[] = [
  (bag) =>
    `${bag.one(PLAIN_WORDS)}-${bag.one(PLAIN_WORDS)}-${bag.letters(HEX, 6)}.${bag.one(['netlify.app', 'netlify.app', 'vercel.app', 'pages.dev', 'web.app'])}`,
  (bag) => `${appName(bag)}.${bag.one(APPS)}${bag.chance(0.3) ? `/${page(bag)}` : ''}`,
  (bag) => `${developer(bag)}.github.io/${copy(bag)}`,
  (bag) => `${providerLabel(bag)}.${bag.one(PROVIDERS)}/${providerPath(bag)}`,
  (bag) =>
    `${Array.from({ length: 4 }, () => bag.one(PLAIN_WORDS)).join('-')}.trycloudflare.com${bag.chance(0.5) ? `/${bag.one([token, (each: WordBag) => `${page(each)}.html`])(bag)}` : ''}`,
];

const FORMS: readonly Synthesizer[] = [...ON_OWN_DOMAINS, ...ON_OTHER_SITES, ...ON_HOSTING_SERVICES];

/**
 * Returns a link to a phishing page under an ordinary suffix, on a site that was broken into, or on a hosting
 * service. The forms follow public reports, and phishing links from the months before those held out.
 */
export function synthesizePhishingPage(bag: WordBag): string {
  return bag.one(FORMS)(bag);
}

function site(bag: WordBag): string {
  return `${synthesizeSiteName(bag)}.${bag.one(SITE_SUFFIXES)}`;
}

function page(bag: WordBag): string {
  return bag.one(PAGES);
}

function joint(bag: WordBag): string {
  return bag.one(['', '', '', '-', '-']);
}

function maybeLure(bag: WordBag): string {
  return bag.chance(0.25) ? `${bag.one(LURES)}.` : '';
}

function lureName(bag: WordBag): string {
  const lure = () => bag.one(LURES);
  return bag.one([
    `${lure()}${joint(bag)}${lure()}`,
    `${lure()}${joint(bag)}${bag.one(PLAIN_WORDS)}`,
    `${bag.one(PLAIN_WORDS)}${joint(bag)}${lure()}`,
    `${lure()}-${lure()}-${lure()}`,
    `${lure()}${joint(bag)}${lure()}${bag.number(1, 9999)}`,
  ]);
}

function brandName(bag: WordBag): string {
  const brand = bag.one(NAMES);
  return bag.one([
    `${brand}${joint(bag)}${bag.one(LURES)}`,
    `${bag.one(LURES)}${joint(bag)}${brand}`,
    `${bag.letters(LOWER, bag.number(2, 4))}-${brand}`,
    `${brand}${bag.one(PLAIN_WORDS)}`,
    `${bag.one(PLAIN_WORDS)}${brand}`,
  ]);
}

/** The name of a service under another suffix, sometimes misspelt. */
function serviceName(bag: WordBag): string {
  const brand = bag.one(NAMES);
  return bag.chance(0.6) ? brand : misspelt(brand, bag);
}

/** A path of the imitated service itself: of a game, a group, a profile, an offer or a film. */
function servicePath(bag: WordBag): string {
  const id = () => bag.letters(DIGITS, bag.number(6, 15));
  const title = () =>
    Array.from({ length: bag.number(1, 4) }, () => capitalized(bag.one(PLAIN_WORDS))).join('-');
  return bag.one([
    `games/${id()}/${title()}${bag.chance(0.7) ? `?privateServerLinkCode=${bag.letters(DIGITS, 32)}` : ''}`,
    `${bag.one(['communities', 'groups'])}/${id()}/${title()}`,
    `users/${id()}/profile`,
    `${bag.one(['tradeoffer/new/?partner', 'watch?v', 'item?id', 'share?code'])}=${id()}`,
    `${bag.one(['p', 'invite', 'gift', 'title'])}/${bag.letters(MIXED, bag.number(6, 10))}`,
    `${bag.one(['en', 'us', 'account'])}/${page(bag)}`,
  ]);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function brandLabel(bag: WordBag): string {
  const brand = bag.one(NAMES);
  return bag.one([
    brand,
    `${brand}-${bag.one(LURES)}`,
    `${bag.one(LURES)}-${brand}`,
    `${bag.one(LURES)}.${brand}`,
    misspelt(brand, bag),
  ]);
}

function lureLabel(bag: WordBag): string {
  return bag.one([
    `${bag.one(LURES)}-${bag.one(LURES)}`,
    `${bag.one(LURES)}${bag.number(1, 99)}`,
    bag.letters(HEX, 7),
    `${bag.one(LURES)}.${bag.one(LURES)}`,
    bag.letters(LOWER, 10),
  ]);
}

function appName(bag: WordBag): string {
  const lure = bag.one(LURES);
  return bag.one([
    `${lure}${joint(bag)}${bag.one(LURES)}`,
    `${bag.one(PLAIN_WORDS)}${lure}`,
    `${lure}${bag.one(PLAIN_WORDS)}`,
    `${misspelt(lure, bag)}${misspelt(bag.one(LURES), bag)}`,
    `${bag.one(PRIZES)}${joint(bag)}${bag.one([bag.one(PLAIN_WORDS), bag.letters(DIGITS, 3)])}`,
  ]);
}

/** A folder of a compromised site, named after a brand. */
function brandFolder(bag: WordBag): string {
  const brand = bag.one(NAMES);
  const written = bag.chance(0.4) ? capitalized(brand) : brand;
  return bag.one([
    written,
    written,
    `${written}-${bag.number(1, 9)}/${written}`,
    `${written}/${bag.one(LURES)}`,
    `${written}${bag.letters(DIGITS, 2)}`,
    `${brand.slice(0, 4)}/${brand}`,
  ]);
}

function brandFile(bag: WordBag): string {
  return bag.one([
    '',
    'login.php',
    'index.html',
    `${page(bag)}.php`,
    `${page(bag)}.htm`,
    page(bag),
    bag.letters(HEX, 32),
  ]);
}

/** The name of an account under which people also publish copies of well-known sites. */
function developer(bag: WordBag): string {
  const given = bag.one(GIVEN);
  return bag.one([
    `${given}${bag.one(FAMILY)}`,
    `${given}-${bag.one(FAMILY)}`,
    `${given}${bag.number(1, 9999)}`,
    `${given}${bag.letters(DIGITS, 4)}-${bag.one(WORKSHOPS)}`,
  ]);
}

function copy(bag: WordBag): string {
  const brand = bag.one(NAMES);
  const clone = bag.one(CLONES);
  return bag.one([
    `${brand}-${clone}`,
    `${brand}_${clone}`,
    `${brand}${clone}`,
    misspelt(brand, bag),
    bag.one(LURES),
    `${brand}.${bag.one(['com', 'github.io'])}`,
    clone,
  ]);
}

function providerLabel(bag: WordBag): string {
  return bag.one([
    bag.letters(LOWER, 8),
    `${bag.letters(LOWER, 3)}.${bag.letters(LOWER, 3)}`,
    `${bag.one(LURES)}${bag.number(1, 99)}`,
    `${bag.one(PLAIN_WORDS)}${bag.one(LURES)}`,
    String(bag.number(1000, 99_999_999)),
  ]);
}

function providerPath(bag: WordBag): string {
  return bag.one([
    `${folders(bag)}/${page(bag)}.php`,
    `${page(bag)}.php`,
    '',
    folders(bag),
    `?i=${bag.number(1, 3)}`,
  ]);
}

function folders(bag: WordBag): string {
  const folder = () =>
    bag.one([
      bag.one(FOLDERS),
      bag.one(FOLDERS),
      bag.one(NAMES),
      bag.letters(LOWER, bag.number(2, 7)),
      bag.letters(HEX, 7),
      bag.letters(MIXED, bag.number(5, 10)),
    ]);
  return Array.from({ length: bag.number(1, 3) }, folder).join('/');
}

/** What identifies a victim or a campaign in a path. */
function token(bag: WordBag): string {
  return bag.one([
    bag.letters(MIXED, bag.number(6, 12)),
    guid(bag),
    bag.letters(HEX, 32),
    bag.letters(CAPITALS, 8),
    bag.letters(LOWER, bag.number(5, 8)),
    `i/${bag.letters(HEX, 32)}`,
    `s/${bag.letters(MIXED, 18)}/${bag.letters(HEX, 6)}/${guid(bag)}`,
    `${bag.number(100_000, 9_999_999)}.doc/${bag.letters(HEX, 6)}/${guid(bag)}`,
    `landing/form/${guid(bag)}`,
    `?r=${guid(bag)}&rg=${bag.one(['eu', 'us'])}`,
    `${bag.letters(HEX, bag.number(30, 40))}.html`,
    `${bag.letters(LOWER, 1)}${bag.letters(HEX, 17)}${bag.letters(LOWER, 1)}${bag.letters(HEX, 17)}.html`,
    `${bag.letters(LOWER, bag.number(3, 6))}/${bag.letters(HEX, 6)}/${bag.letters(HEX, 4)}`,
    `${guid(bag)}/${page(bag)}`,
    `?id=${bag.letters(MIXED, 8)}`,
  ]);
}

/** A path that contains the mail address of the person to whom the link was sent. */
function victim(bag: WordBag): string {
  const address = `${bag.one(GIVEN)}@${bag.one(PLAIN_WORDS)}.com`;
  return bag.one([
    `?email=${address}`,
    `?eta=${address}`,
    `${bag.letters(MIXED, bag.number(6, 12))}${bag.one(['!', '@', ''])}${bag.letters(MIXED, 8)}/${bag.one(['*', '$'])}${address}`,
    `${guid(bag)}/${bag.letters(MIXED, 32)}==`,
    `${page(bag)}?e=${address}`,
  ]);
}
