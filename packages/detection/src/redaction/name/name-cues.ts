import { toNameSet } from '../../lexicon/name-key.ts';

/** Titles and forms of address; the name follows, and the title itself is kept. */
export const HONORIFICS = toNameSet(`
  mr mrs ms miss mister mx dr prof professor sir madam dame rev reverend fr sr sra srta srª señor señora señorita don doña
  dona senhor senhora dom herr herrn frau fräulein hr fru m mm mme mlle monsieur madame mademoiselle maître sig sigra
  signor signore signora signorina dott dottore dottoressa avv ing dhr mevr mevrouw meneer mw pan pani pán paní bay bayan
  shri smt sri sheikh shaikh sayyid ustad haji господин госпожа г-н г-жа κύριος κυρία
`);

/** German capitalizes every noun, so not every capitalized word after these titles is part of the name. */
export const GERMAN_HONORIFICS = toNameSet('herr herrn frau fräulein hr');

/** Words that join the parts of a name. */
export const PARTICLES = toNameSet(`
  von van vom der den de del della dello di da do dos das du des la le les lo las los y e i bin ibn bint ben al el ul abu
  zu zum zur ter ten te tot 't af av und st san santa mac mc ap o'
`);

/** After these words any capitalized word that is not ordinary is a name. */
export const NAMING_PHRASES: ReadonlySet<string> = new Set(
  `name is;name's;names is;mein name ist;name ist;ich heisse;je m'appelle;m'appelle;s'appelle;me llamo;se llama;nombre es;mi chiamo;
  nome e;meu nome e;me chamo;chamo-me;nazywam sie;mam na imie;jmenuji se;jag heter;jeg hedder;jeg heter;mijn naam is;naam is;
  ik heet;adim;benim adim;named;nimeni on;меня зовут`
    .split(';')
    .map((phrase) => phrase.trim()),
);

/** After these words a given name stands for a person even without a surname. */
export const INTRODUCING_PHRASES: ReadonlySet<string> = new Set(
  `this is;i am;i'm;it's;here is;speaking with;caller;callers;contact;sender;recipient;employee;colleague;user;patient;
  hi;hello;hey;dear;hallo;liebe;lieber;cher;chere;caro;cara;querido;querida;estimado;estimada;bonjour;hola;ola;ciao;
  regards;ich bin;hier ist;hier spricht;je suis;soy;sono;sou;ik ben;jestem;from;by;with;von;de la part de;par;per conto di`
    .split(';')
    .map((phrase) => phrase.trim()),
);

/** A word after one of these is a thing: `your Bill`, `a Grace`. */
export const DETERMINERS = toNameSet(
  'the a an your our this that each every new no any his her its my their some',
);
