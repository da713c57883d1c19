import { BRANDS } from '@tps/detection/training';
import { FAMILY, GIVEN } from './site-names.ts';
import { HEX, LOWER, MIXED, PLAIN_WORDS, type WordBag } from './word-bag.ts';

const PAGE_HOSTS = [
  'vercel.app',
  'netlify.app',
  'github.io',
  'web.app',
  'pages.dev',
  'firebaseapp.com',
  'herokuapp.com',
  'onrender.com',
  'gitlab.io',
  'surge.sh',
  'webflow.io',
  'framer.website',
  'wixsite.com',
  'weebly.com',
  'blogspot.com',
  'wordpress.com',
  'carrd.co',
  'notion.site',
  'gitbook.io',
  'readthedocs.io',
  'azurewebsites.net',
  'myshopify.com',
  'square.site',
  'replit.app',
  'workers.dev',
  'fly.dev',
];
const PERSONAL = `
  portfolio dev resume cv blog site website web me folio codes design tech io pro art photography
  my-portfolio portfolio-site portfolio-website personal space home app
`
  .trim()
  .split(/\s+/);
const PROJECTS = `
  docs app demo api todo weather-app notes wiki calculator quiz tracker dashboard editor generator
  viewer playground game ui js react next tool kit lab labs hub studio theme starter template
  converter explorer
`
  .trim()
  .split(/\s+/);
/** Suffixes that some hosting services append to a name that is taken. */
const APPENDED = `
  one two three six nine eta rho sigma alpha pied xi psi five seven ten zeta sage lake roan lime green
  topaz omega delta phi ashy ivory coral gules jade main git-main live orpin olive taupe
`
  .trim()
  .split(/\s+/);
const SECTIONS = `
  blog news articles products product shop category en en-us de fr es wiki docs about company press
  brand events store catalog p item topics tag posts recipes courses books research publications
  stories guides pages content library people team services projects reviews video photos music sports
  travel world politics business local archive archives forum threads questions download downloads
  software static images media assets files uploads users u profile sites/default/files
`
  .trim()
  .split(/\s+/);
const ENDINGS = ['.html', '.htm', '.php', '.aspx', '.asp', '.pdf', '.jsp', '.shtml', '.jpg', '.xml', ''];
const ACCOUNT = `
  account accounts login my-account user settings profile account/settings account/security
  account/login user/settings settings/account settings/password settings/security change-password
  users/password/edit customer/account customer/account/login account/password account/manage
  users/edit signin sign-in auth/login my/profile preferences user/login en/account members/settings
  password/change privacy delete-account account/delete account/personal-info contact contact-us
  support security help terms privacy-policy profile/edit faq pricing .well-known/change-password
  my-account/edit-account security/two-factor two-factor-authentication legal/privacy
`
  .trim()
  .split(/\s+/);
const ACCOUNT_WORDS =
  'account accounts user users profile password reset update change myinfo myaccount myprofile secure bill billing login member members memberinfo settings security privacy admin home request delete manage personal details preferences notifications email edit loyalty perfil acceso konto profil compte mon-compte mi-cuenta my-account customer dashboard portal ui app en de auth mypage service ssl my info ForgotPassword ChangePassword UserProfile MyAccount identity signin recovery register online web Membership 2fa mfa two-factor verify wallet card cards payment orders help contact'.split(
    ' ',
  );
const LARGE_SUFFIXES = [
  'com',
  'com',
  'com',
  'com',
  'de',
  'co.uk',
  'fr',
  'es',
  'it',
  'net',
  'org',
  'co.jp',
  'ca',
  'com.au',
  'nl',
  'pl',
  'com.br',
  'in',
  'eu',
  'us',
  'ch',
  'io',
];
const DESKS = [
  'zendesk.com/hc/en-us/requests/new',
  'zendesk.com/hc/en-us',
  'freshdesk.com/support/tickets/new',
  'freshdesk.com/support/home',
  'statuspage.io',
  'zendesk.com/hc/de/requests/new',
  'myshopify.com/account/login',
  'helpscoutdocs.com',
];
const OWN_SUBDOMAINS = [
  'account',
  'accounts',
  'my',
  'app',
  'login',
  'id',
  'auth',
  'secure',
  'help',
  'support',
  'docs',
  'blog',
  'www2',
  'shop',
  'store',
  'portal',
  'dashboard',
  'developer',
  'news',
  'en',
  'm',
  'forum',
  'wiki',
  'status',
  'online',
  'web',
  'members',
  'sso',
  'community',
  'api',
  'old',
  'images',
  'cdn',
  'mail',
  'careers',
  'learn',
  'go',
  'get',
  'static',
  'signin',
  'user',
  'console',
  'knowledge',
  'kb',
  'en',
];
const SIGN_IN_SUBDOMAINS =
  'accounts account login signin secure auth id sso idp my online connect verified identity m web myaccount client onlinebanking banking www2 app customer tools support payments wallet'.split(
    ' ',
  );
const SIGN_IN_PAGES =
  'login signin sign-in logon login.php login.html login.jsp login.aspx ap/signin accounts/login account/login account/sign-in users/sign_in auth/login web/auth/login oauth2/authorize common/oauth2/authorize cgi-bin/webscr cgi-bin/login personal/logon/login.jsp en/login en-us/account/login de/login login/home session/new secure/login identifier signin/v2/identifier my/login login/username auth/realms/customers/protocol/openid-connect/auth oauth/authorize security verify account/verify track tracking fedextrack go/TrackConfirmAction payments pay billing myaccount/summary wallet owa mail'.split(
    ' ',
  );
const SIGN_IN_QUERIES =
  'cmd=_login-run client_id=web&response_type=code returnTo=%2F redirect_uri=https%3A%2F%2Fwww.example.com%2Fcallback continue=https%3A%2F%2Fmail.example.com next=%2Fhome locale=en_US hl=en&flowName=WebSignIn state=8f3a2b TYPE=33554433&REALMOID=06 lang=en'.split(
    ' ',
  );
const CAPITALS = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the page of a person or of a small project on a hosting service. */
export function synthesizeHostedPage(bag: WordBag): string {
  const site = `${bag.chance(0.65) ? person(bag) : project(bag)}${bag.chance(0.12) ? `-${bag.one(APPENDED)}` : ''}${bag.chance(0.05) ? `-${bag.one(APPENDED)}` : ''}`;
  return `https://${site}.${bag.one(PAGE_HOSTS.slice(0, bag.chance(0.7) ? 6 : PAGE_HOSTS.length))}${bag.chance(0.25) ? hostedPath(bag) : ''}`;
}

/** Returns the path of an ordinary page, for a domain that is listed without one. */
export function synthesizePath(bag: WordBag): string {
  const kind = bag.number(0, 10);
  if (kind === 0) return `/${bag.one(SECTIONS)}`;
  if (kind === 10)
    return `/${bag.chance(0.3) ? `${bag.one(SECTIONS)}/` : ''}${bag.one(['index', 'login', 'main', 'home', 'default', 'index', 'soft', 'page', 'contact', 'about', 'register', 'start', 'links'])}${bag.one(['.php', '.html', '.htm', '.aspx', '.asp', '.jsp', '.cgi', '.do'])}`;
  if (kind === 1)
    return `/${bag.number(1998, 2026)}/${String(bag.number(1, 12)).padStart(2, '0')}/${bag.chance(0.6) ? `${String(bag.number(1, 28)).padStart(2, '0')}/` : ''}${slug(bag, 2, 9)}${bag.one(ENDINGS)}`;
  if (kind === 2)
    return `/${bag.one(['index', 'view', 'article', 'product', 'show', 'page', 'viewtopic', 'profile', 'item', 'search', 'news', 'detail', 'watch', 'default'])}${bag.one(['.php', '.asp', '.aspx', '', '.cgi', '.jsp', '.html'])}?${query(bag)}`;
  if (kind === 3) return `/${bag.one(SECTIONS)}/${bag.one(SECTIONS)}/${slug(bag, 1, 5)}${bag.one(ENDINGS)}`;
  if (kind === 4) return `/${bag.one(SECTIONS)}/${bag.number(10, 9_999_999)}/${slug(bag, 1, 6)}`;
  if (kind === 5) return `/${slug(bag, 1, 3)}/${slug(bag, 1, 7)}${bag.one(ENDINGS)}`;
  if (kind === 6)
    return `/${bag.one(['pdf', 'files', 'docs', 'uploads', 'wp-content/uploads/2019/05', 'wp-content/uploads/2023/11', 'sites/default/files', 'papers', 'download', 'images', 'en/media'])}/${bag.chance(0.5) ? slug(bag, 1, 4) : `${CAPITALS(bag.one(PLAIN_WORDS))}_${CAPITALS(bag.one(PLAIN_WORDS))}${bag.number(1, 99)}`}.${bag.one(['pdf', 'doc', 'jpg', 'png', 'zip', 'html', 'txt'])}`;
  if (kind === 7) return `/wiki/${CAPITALS(bag.one(PLAIN_WORDS))}_${CAPITALS(bag.one(PLAIN_WORDS))}`;
  if (kind === 8)
    return `/${slug(bag, 2, 10)}${bag.chance(0.3) ? `-${bag.number(100, 9_999_999)}` : ''}${bag.one(ENDINGS)}`;
  return `/${bag.one(SECTIONS)}/${bag.chance(0.5) ? bag.letters(MIXED, bag.number(6, 12)) : bag.letters(HEX, bag.one([8, 24, 32]))}${bag.chance(0.3) ? `/${slug(bag, 1, 4)}` : ''}`;
}

/** Returns a page for accounts or help on the owner's own domain. */
export function synthesizeAccountPage(domain: string, bag: WordBag): string {
  const host = bag.chance(0.5) ? `${bag.one(OWN_SUBDOMAINS)}.${domain}` : domain;
  if (bag.chance(0.3)) return `https://${host}`;
  if (bag.chance(0.3))
    return `https://${host}/${bag.one(['hc/en-us/articles', 'en/articles', 'hc/en-gb/articles', 'help', 'support/solutions/articles', 'faq', 'kb', 'knowledge-base', 'docs', 'blog', 'en/support', 'help/article'])}/${bag.chance(0.6) ? `${bag.number(100_000, 999_999_999)}-` : ''}${slug(bag, 2, 7)}`;
  return `https://${host}/${accountPath(bag)}`;
}

/** Returns a page of a well-known company on its own domain. */
export function synthesizeBrandPage(bag: WordBag): string {
  const { name, owns } = bag.one(BRANDS);
  if (bag.chance(0.1)) return `https://${name}.${bag.one(DESKS)}`;
  const domain = bag.chance(0.5) ? name : bag.one([...owns]);
  const site = domain.includes('.') ? domain : `${domain}.${bag.one(LARGE_SUFFIXES)}`;
  return bag.chance(0.6) ? synthesizeAccountPage(site, bag) : synthesizeSignInPage(site, bag);
}

/** Returns the page where customers of a company sign in. */
function synthesizeSignInPage(domain: string, bag: WordBag): string {
  const before = bag.chance(0.5) ? `${bag.one(SIGN_IN_SUBDOMAINS)}.` : '';
  const more = bag.chance(0.2) ? `?${bag.one(SIGN_IN_QUERIES)}` : '';
  return `https://${before}${domain}/${bag.one(SIGN_IN_PAGES)}${more}`;
}

function accountPath(bag: WordBag): string {
  if (bag.chance(0.4)) return bag.one(ACCOUNT);
  const words = Array.from({ length: bag.number(1, 4) }, () => bag.one(ACCOUNT_WORDS));
  return `${words.join('/')}${bag.chance(0.2) ? bag.one(ENDINGS) : ''}${bag.chance(0.1) ? `?${query(bag)}` : ''}`;
}

function person(bag: WordBag): string {
  const given = bag.one(GIVEN);
  const family = bag.chance(0.75) ? bag.one(FAMILY) : bag.one(GIVEN);
  const joint = bag.one(['', '', '-', '']);
  const name = bag.one([
    `${given}${joint}${family}`,
    `${given}${joint}${family}`,
    given,
    `${given.charAt(0)}${family}`,
    `${given}${family.charAt(0)}`,
    `${given}${bag.letters(LOWER, bag.number(2, 5))}`,
    `${bag.letters(LOWER, bag.number(2, 4))}${family}`,
  ]);
  const more = bag.number(0, 9);
  if (more < 3) return `${name}${bag.one(['-', '', '-'])}${bag.one(PERSONAL)}`;
  if (more === 3)
    return `${bag.one(['portfolio', 'my-portfolio', 'hello', 'iam', 'the', 'its', 'im', 'resume'])}${bag.one(['-', ''])}${name}`;
  if (more === 4) return `${name}${bag.number(1, 2005)}`;
  return name;
}

function project(bag: WordBag): string {
  const first = bag.one(PLAIN_WORDS);
  return bag.one([
    `${first}-${bag.one(PROJECTS)}`,
    `${first}${bag.one(PROJECTS)}`,
    `${first}-${bag.one(PLAIN_WORDS)}-${bag.one(PROJECTS)}`,
    `${first}${bag.one(PLAIN_WORDS)}`,
    `my-${bag.one(PERSONAL)}-${bag.one(APPENDED)}`,
    `${bag.one(PERSONAL)}-${bag.letters(LOWER, bag.number(3, 6))}`,
  ]);
}

function hostedPath(bag: WordBag): string {
  return bag.one([
    `/${bag.one(PERSONAL)}`,
    `/${bag.one(PROJECTS)}`,
    `/${bag.one(PLAIN_WORDS)}`,
    `/${bag.one(PLAIN_WORDS)}-${bag.one(PROJECTS)}`,
    `/${CAPITALS(bag.one(GIVEN))}-${CAPITALS(bag.one(PERSONAL))}`,
    '/index.html',
    `/${bag.number(2012, 2026)}/${String(bag.number(1, 12)).padStart(2, '0')}/${slug(bag, 2, 6)}.html`,
  ]);
}

function slug(bag: WordBag, min: number, max: number): string {
  const words = Array.from({ length: bag.number(min, max) }, () => bag.one(PLAIN_WORDS));
  return words.join(bag.chance(0.85) ? '-' : '_');
}

function query(bag: WordBag): string {
  const value = () => (bag.chance(0.6) ? bag.number(1, 99_999) : bag.one(PLAIN_WORDS));
  const names = [
    'id',
    'p',
    'page',
    'cat',
    'q',
    'v',
    'lang',
    'sid',
    'title',
    'item',
    't',
    'f',
    'category',
    'ref',
    'name',
    'year',
    'type',
    'articleid',
    'do',
    'show',
  ];
  return Array.from({ length: bag.number(1, 4) }, () => `${bag.one(names)}=${value()}`).join('&');
}
