/** Chooses from lists with a given source of randomness. */
export interface WordBag {
  one<T>(list: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number from `min` to `max`, both inclusive. */
  number(min: number, max: number): number;
  /** Letters of the given alphabet. */
  letters(alphabet: string, length: number): string;
}

export const HEX = '0123456789abcdef';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const MIXED = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export function createWordBag(random: () => number): WordBag {
  const number = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  return {
    one: (list) => {
      const chosen = list[number(0, list.length - 1)];
      if (chosen === undefined) throw new RangeError('an empty list has nothing to choose');
      return chosen;
    },
    chance: (probability) => random() < probability,
    number,
    letters: (alphabet, length) =>
      Array.from({ length }, () => alphabet.charAt(number(0, alphabet.length - 1))).join(''),
  };
}

/** Returns a random identifier (RFC 9562, version 4). */
export function guid(bag: WordBag): string {
  const hex = (length: number) => bag.letters(HEX, length);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

/** Ordinary words of addresses. */
export const PLAIN_WORDS =
  'ability about academy action active adventure agriculture airport album alpine ancient animal annual apple april archive area art article artist atlas august autumn award baby back balance band basic beach beautiful beginner best bicycle bird black blue board book border bottle box bread breakfast bridge bright budget build building business butter button cake calendar camera camp capital car career carpet castle chair change chapter cheap chicken children chocolate choice church cinema city class classic clean climate clock cloud coast coffee collection college color community company compare computer concert conference cook cooking cotton country course craft creative culture curry custom daily dance data day december design desk digital dinner dinosaur direct disease dog dream dress drink drive early earth easy economy edition education electric energy engine english europe event exercise expert explore fabric face fair family famous farm fashion fast festival film final fire first fish fitness flight flower food football forest free french fresh friend fruit fun furniture future game garden general german gift girl glass global gold golf good great green ground group growth guide guitar hair hand happy harbor health heart heavy history holiday home horse hospital hot hotel house human ice idea image india industry inside interview island italian jacket january japan jazz journey july june kids kitchen knife lady lake lamp land language large laser late latest lawyer leader learning leather lemon lesson letter level library life light line list little local london long love lunch machine magazine magic main make manual map march market marketing master math meal medical meeting member memory metal method milk mind mini mobile model modern money moon morning mother motor mountain movie museum music name nation natural nature network new news night north november number ocean october office oil old online open opera orange order organic outdoor paint palace paper parent park part party past pattern people perfect person philosophy photo physics piano picture pizza place plan planet plant plastic plate play player poem policy popular power press price print private problem process product program project public quality question quick quiet race radio rail rain reading real recipe record red report rescue research restaurant rice ring river road rock room royal rules running safe salad salt sand school science sea season second secret self series service set seven shadow shape ship shirt shoes shop short show silver simple singer single sister site size skin sky sleep slow small smart snow social soft solar song sound soup south space spanish special speed spider sport spring square staff stage star start state station steel stone store storm story street strong student studio study style sugar summer sun super support surface sweet swim system table talk taste tea teacher team tech tennis test theory thing time tips today tomato tool tour town toy track trade traffic train training travel tree trend trip truck true trust turkey university update urban vegan vehicle video village vintage violin virtual vision voice walk wall war watch water wave weather web wedding week welcome west white wild wind window wine winter woman wood word work world worldwide writing yellow yoga young zebra zero zone'.split(
    ' ',
  );
