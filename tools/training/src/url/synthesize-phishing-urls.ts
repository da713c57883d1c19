import { BRANDS } from '@tps/detection/training';
import { HEX, LOWER, MIXED, PLAIN_WORDS, type WordBag } from './word-bag.ts';

export const NAMES = BRANDS.filter(
  ({ name, wholeWordOnly }) => name.length >= 3 && (!wholeWordOnly || name.length <= 5),
).map(({ name }) => name);
export const LURES = `
  login signin secure verify account support update wallet help service online auth billing payment
  confirm security alert recovery unlock customer info mail webmail id app web portal access center
  connect claim refund reward bonus review notice case appeal helpdesk pay track delivery parcel bank
  card invoice sso start en us kundenservice verifica cliente acceso update-info business ads partner
  agency community officials toll compliance violation infringement enforcement advertiser copyright
  policy report terms pending approve checkin reservation documents voicemail authentication
  validation restore fine
`
  .trim()
  .split(/\s+/);
export const CHEAP = `
  top xyz shop icu cyou cfd sbs vip club online site live cc click help info world lat bond life win
  qpon com com net org co me cn ru com.br in us cloud digital biz.id my.id one app store website
`
  .trim()
  .split(/\s+/);
export const ODD = `
  com.ge com.py com.am com.ml com.et com.kz com.ly com.gl gl tc com.cn cn cc vip top ml cam icu xyz my
  com.uy mx pe lat bz sc ws st la com.ng com.bd com.gh com.bn com.ps com.af re mo.cn
  hl.cn sc.cn gs gf ht
`
  .trim()
  .split(/\s+/);
const BUILDERS = `
  weebly.com weeblysite.com webflow.io framer.app framer.website framer.ai godaddysites.com
  wixsite.com square.site gitbook.io typedream.app blogspot.com mystrikingly.com yolasite.com
  jimdosite.com carrd.co webador.com wixstudio.com canva.site webnode.page
`
  .trim()
  .split(/\s+/);
export const APPS = `
  vercel.app netlify.app pages.dev workers.dev github.io web.app firebaseapp.com surge.sh
  azurewebsites.net herokuapp.com onrender.com replit.app r2.dev duckdns.org dynv6.net
  trycloudflare.com ngrok-free.app cprapid.com edgeone.app glitch.me servehttp.com ddns.net plesk.page
  cfolks.pl
`
  .trim()
  .split(/\s+/);
export const CLONES = `
  clone copy project login page ui website responsive landing-page app html-css test task login-page
  website-clone homepage demo frontend redesign
`
  .trim()
  .split(/\s+/);
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const ORDINARY = ['com', 'org', 'net', 'com.br', 'co.za', 'in', 'co.uk', 'com.au'];
const FOLDERS = [
  'wp-content',
  'wp-includes',
  'wp-admin',
  '.well-known',
  'cgi-bin',
  'images',
  'js',
  'includes',
];
const PATHS = [
  '',
  '',
  '',
  '/login',
  '/pay',
  '/login.php',
  '/index.html',
  '/index.php',
  '/signin',
  '/verify',
  '/home',
  '/en',
  '/com',
  '/web',
  '/account',
  '/help',
  '/confirm.html',
  '/auth/login',
  '/pages/login.html',
  '/secure',
  '/info',
  '/billing',
  '/m',
];

type Synthesizer = (bag: WordBag) => string;

const BRAND_PHISHING: readonly Synthesizer[] = [
  (bag) => `${bag.one(NAMES)}.${nonsense(bag)}.${bag.one(CHEAP)}${path(bag)}`,
  (bag) => `${bag.one(NAMES)}${joint(bag)}${bag.one(LURES)}.${bag.one(CHEAP)}${path(bag)}`,
  (bag) =>
    `${bag.one(LURES)}${joint(bag)}${bag.one(NAMES)}${bag.chance(0.4) ? `-${bag.one(LURES)}` : ''}.${bag.one(CHEAP)}${path(bag)}`,
  (bag) =>
    `${bag.one(NAMES)}.com-${bag.chance(0.5) ? bag.one(LURES) : bag.letters(LOWER, bag.number(2, 6))}.${bag.one(CHEAP)}${path(bag)}`,
  (bag) =>
    `${bag.one(NAMES)}.${bag.one(ODD)}${bag.chance(0.5) ? `/users/${bag.number(1_000_000, 999_999_999)}/profile` : path(bag)}`,
  (bag) => `${bag.one(NAMES)}${bag.letters(LOWER, bag.number(1, 4))}.${bag.one(CHEAP)}${path(bag)}`,
  (bag) => `${misspelt(bag.one(NAMES), bag)}.${bag.one(CHEAP)}${path(bag)}`,
  (bag) =>
    `${misspelt(bag.one(NAMES), bag)}${bag.one(['', '-'])}${bag.one(LURES)}.${bag.one([...BUILDERS, ...APPS])}${path(bag)}`,
  (bag) =>
    `${misspelt(bag.one(NAMES), bag)}${bag.one(['', '-', ''])}${misspelt(bag.one(LURES), bag)}.${bag.one(BUILDERS)}`,
  (bag) => {
    const brand = bag.one(NAMES);
    return `${bag.chance(0.5) ? `${brand}-` : ''}${misspelt(brand, bag)}${bag.one(['-', '', '--'])}${bag.chance(0.5) ? bag.one(LURES) : bag.letters(HEX, 6)}.${bag.one(BUILDERS)}`;
  },
  (bag) =>
    `${bag.one(LURES)}${bag.one(['-', '--', ''])}${bag.one(NAMES)}${bag.one(['-', '--'])}${bag.one(LURES)}.${bag.one([...BUILDERS, ...APPS])}`,
  (bag) =>
    `${bag.chance(0.5) ? '' : `${bag.one(PLAIN_WORDS)}-`}${bag.one(NAMES)}-${bag.one(CLONES)}${bag.chance(0.4) ? `-${bag.one(PLAIN_WORDS)}` : ''}.${bag.one(['vercel.app', 'netlify.app', 'pages.dev', 'surge.sh', 'onrender.com'])}`,
  (bag) => {
    const brand = bag.one(NAMES);
    const written = bag.chance(0.5) ? brand : brand.charAt(0).toUpperCase() + brand.slice(1);
    return `${bag.one(PLAIN_WORDS)}${bag.letters(LOWER, 3)}${bag.number(1, 99)}.github.io/${written}${bag.chance(0.7) ? bag.one(['-', '_']) + bag.one(CLONES) : ''}`;
  },
];

const GENERIC_PHISHING: readonly Synthesizer[] = [
  (bag) => `${bag.letters(LOWER, bag.number(8, 18))}.${bag.one(BUILDERS)}`,
  (bag) =>
    `${bag.one(LURES)}${bag.one(['-', ''])}${bag.one(LURES)}${bag.chance(0.5) ? bag.number(1, 9999) : ''}.${bag.one([...BUILDERS, ...APPS])}${path(bag)}`,
  (bag) =>
    `${bag.one(LURES)}${bag.one(['-', ''])}${bag.one(PLAIN_WORDS)}${bag.one(['-', ''])}${bag.one(LURES)}.${bag.one(['vercel.app', 'pages.dev', 'netlify.app', 'web.app'])}${path(bag)}`,
  (bag) =>
    `${bag.letters(HEX, bag.number(6, 10))}.${bag.one(['pages.dev', 'workers.dev', 'netlify.app', 'web.app', 'azurewebsites.net', 'r2.dev'])}${path(bag)}`,
  (bag) => `${nonsense(bag)}.${bag.letters(HEX, bag.number(8, 40))}.pages.dev${path(bag)}`,
  (bag) =>
    `${nonsense(bag)}-${nonsense(bag)}-${bag.number(100, 9999)}.${bag.one(['vercel.app', 'workers.dev', 'pages.dev', 'netlify.app'])}/${bag.letters(LOWER, bag.number(3, 6))}.html`,
  (bag) =>
    `${bag.one(PLAIN_WORDS)}-${bag.one(PLAIN_WORDS)}-${bag.number(100_000, 999_999)}.${bag.one(['framer.app', 'netlify.app', 'webflow.io', 'framer.website', 'weeblysite.com'])}`,
  (bag) =>
    `${bag.one(LURES)}-${bag.one(LURES)}${bag.chance(0.5) ? bag.number(1, 999) : ''}.${bag.one(CHEAP)}/${bag.letters(MIXED, bag.number(6, 10))}`,
  (bag) =>
    `${bag.one(PLAIN_WORDS)}${bag.one(LURES)}${bag.one(['', '-', bag.one(LURES)])}.${bag.one(['com', 'net', 'org', 'info'])}/${bag.letters(UPPER, bag.number(8, 10))}`,
  (bag) =>
    `${nonsense(bag)}.${bag.one(CHEAP)}/${bag.one(['pay', 'com', 'login', 'track', 'i', 'us', 'home', 'verify'])}`,
  (bag) => `pub-${bag.letters(HEX, 32)}.r2.dev/${bag.one(LURES)}.html`,
  (bag) =>
    `${bag.one(PLAIN_WORDS)}${bag.one(PLAIN_WORDS)}.${bag.one(ORDINARY)}/${bag.one(FOLDERS)}/${bag.chance(0.5) ? `${bag.one(NAMES)}/` : ''}${bag.one(LURES)}/${bag.one(['index.php', 'login.php', '', 'index.html', bag.letters(HEX, 32)])}`,
  (bag) =>
    `${bag.one(PLAIN_WORDS)}${bag.one(PLAIN_WORDS)}.${bag.one(ORDINARY)}/${bag.one(LURES)}/${bag.letters(MIXED, bag.number(12, 48))}`,
  (bag) =>
    `bafybei${bag.letters('abcdefghijklmnopqrstuvwxyz234567', 52)}.ipfs.dweb.link/${bag.chance(0.5) ? `${bag.one(LURES)}.html` : ''}`,
  (bag) =>
    `${bag.number(1, 9999)}${bag.one(['web', 'app', 'm', 'vip', 'bet'])}.${nonsense(bag)}.${bag.one(CHEAP)}`,
  (bag) => `${bag.letters(LOWER, bag.number(4, 10))}.${bag.one(CHEAP)}`,
];

/**
 * Returns a link that imitates a company as phishing pages do: its name on an unrelated host, or a name close
 * to it.
 */
export function synthesizeBrandPhishing(bag: WordBag): string {
  return bag.one(BRAND_PHISHING)(bag);
}

/** Returns a link that is suspicious by its host and by the form of its labels, without a company's name. */
export function synthesizeGenericPhishing(bag: WordBag): string {
  return bag.one(GENERIC_PHISHING)(bag);
}

function path(bag: WordBag): string {
  return bag.one(PATHS);
}

function joint(bag: WordBag): string {
  return bag.one(['-', '', '.']);
}

export function nonsense(bag: WordBag): string {
  return bag.one([
    bag.letters(LOWER, bag.number(4, 9)),
    `${bag.letters(LOWER, bag.number(2, 5))}${bag.number(1, 999)}`,
    `${bag.one(PLAIN_WORDS)}${bag.letters(LOWER, bag.number(2, 4))}`,
  ]);
}

/** Doubles, omits, swaps or replaces a letter. */
export function misspelt(name: string, bag: WordBag): string {
  const times = bag.chance(0.35) ? 2 : 1;
  let written = name;
  for (let time = 0; time < times; time += 1) {
    const at = bag.number(0, written.length - 1);
    const letter = written.charAt(at);
    const instead = bag.one([
      letter + letter,
      '',
      bag.one([...'aeiou']),
      ({ o: '0', l: '1', i: 'l', e: '3', a: '4', s: '5', m: 'rn', w: 'vv' } as Record<string, string>)[
        letter
      ] ?? letter + letter,
      letter + bag.letters(LOWER, 1),
    ]);
    written = written.slice(0, at) + instead + written.slice(at + 1);
  }
  return written;
}
