import { toNameSet } from '../../lexicon/name-key.ts';

/** Ends of street names before the house number, in German, Dutch and the Nordic languages. */
export const STREET_ENDINGS =
  /(?:strasse|str|straat|gasse|allee|chaussee|gracht|laan|gatan|gata|vagen|vejen|gade|stien|tie|katu)$/;
/** These also end other words, so they count with a capital, and in a name of seven letters or more. */
export const WEAK_STREET_ENDINGS =
  /(?:weg|platz|plein|damm|ufer|kade|singel|dijk|steeg|steig|stieg|hof|graben|berg|vej)$/;
/** Places of other kinds: seats, car parks. */
export const NOT_STREETS = toNameSet(`
  sitzplatz stehplatz parkplatz stellplatz arbeitsplatz spielplatz listenplatz tabellenplatz fensterplatz gangplatz
  studienplatz rastplatz flugplatz bahnhof friedhof gasthof bauernhof heimweg rückweg umweg rundweg wanderweg postweg
  rechtsweg dienstweg ausweg speicherplatz campingplatz liegeplatz
`);

/** Words that begin a street name before the house number, in Spanish, Portuguese, Italian and Polish. */
export const STREET_BEGINNINGS = toNameSet(`
  calle avenida avda av paseo plaza pza via viale piazza corso vicolo rua travessa praça alameda estrada ul ulica aleja aleje
  laan al pl plac os osiedle carrera rambla ronda camino largo strada bulevar bd bulevardul str ulice ulitsa ул улица
`);
/** Abbreviations that are words without a full stop. */
export const DOTTED_STREET_BEGINNINGS = toNameSet('av al pl os ul str bd pza avda ул');
/** Words with other meanings: a capital is needed, as in `Via Roma 12`. */
export const CAPITAL_STREET_BEGINNINGS = toNameSet(
  'via corso largo plaza plac estrada carrera ronda camino aleja strada',
);
/** Payments and messages, not streets, come by these: `via PayPal 20 EUR`. */
export const NOT_STREET_NAMES = toNameSet(`
  paypal whatsapp telegram signal sms mms email mail app zoom teams internet web bizum pix twint satispay wero swish paysafe
  bonifico banca fax chat online link telefon messenger facebook instagram google apple bancomat postepay
`);

/** Words that begin a street name after the house number, in French. */
export const FRENCH_STREETS = toNameSet('rue avenue av ave boulevard bd bld impasse chemin');
/** Words with other meanings: the name after them needs a capital. */
export const WEAK_FRENCH_STREETS = toNameSet(
  'place allée allées quai cours route square passage sentier villa résidence faubourg',
);

/** Words that end a street name after the house number, in English. */
export const ENGLISH_STREETS = toNameSet('street road avenue ave lane boulevard blvd terrace crescent rd');
/** Words with other meanings: they need a capital. */
export const WEAK_ENGLISH_STREETS = toNameSet(`
  st drive dr court ct place pl square sq close way gardens grove hill mews parade walk highway hwy parkway pkwy row green
  park quay rise wharf circle cir trail loop ln
`);
/** These never are a part of a street name in small letters. */
export const NOT_IN_STREET_NAMES = toNameSet(`
  bed bedroom bedrooms a about across along an and any are at away before behind busy by call each east feet for from going have hours house i in into is it
  just kilometers kilometres km less main meters metres miles million minutes minute more my near next no not of off on or other
  our out over people per percent side that the their them there this to toward towards two up us via was we were with yards you
  your down days day months weeks years seconds second points point
`);

/** Small words within a name: `Calle de la Cruz`, `rue du Général de Gaulle`. */
export const STREET_PARTICLES = toNameSet(`
  de la las los el del do da dos das di della delle dei degli du des d l y e i san santa santo saint sainte s am an der dem den
  im zur zum van von ter ten le les à au aux
`);
