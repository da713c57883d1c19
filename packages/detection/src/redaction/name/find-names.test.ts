import { describe, expect, it } from 'vitest';
import { redactText } from '../redact-text.ts';
import { HONORIFICS } from './name-cues.ts';

describe('names that the lists or the form of address hid', () => {
  it.each([
    ['Ms Nguyễn Thị Minh Khai called', 'Ms [name] called'],
    ['Sr. João Pedro de Souza Lima', 'Sr. [name]'],
    ['Sra. María del Carmen García Núñez de Prado', 'Sra. [name]'],
    ['Mr Abdul Rahman bin Ahmad Yusof left', 'Mr [name] left'],
    ['Алёна Иванова', '[name]'],
    ['Марія Коваленко звонила', '[name] звонила'],
    ['Сергій Бондаренко та Ірина Мельник', '[name] та [name]'],
    ['Nguyễn Văn An', '[name]'],
    ['Trần Thị Hoa đã gọi', '[name] đã gọi'],
    ['Vážený pane Novák', 'Vážený pane [name]'],
    ['Milá paní Dvořáková, dobrý den', 'Milá paní [name], dobrý den'],
    ['Tisztelt Kovács Úr', 'Tisztelt [name] Úr'],
    ['Kedves Nagy Éva Asszony!', 'Kedves [name] Asszony!'],
    ['frau müller hat angerufen', 'frau [name] hat angerufen'],
    ['Gestern war herr schröder da', 'Gestern war herr [name] da'],
    ['Hi, this is Siobhán from work', 'Hi, this is [name] from work'],
    ['Hello Rhiannon, see you', 'Hello [name], see you'],
  ])('%s becomes %s', (written, expected) => {
    expect(redactText(written)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  it.each([
    'Tisztelt Ügyfelünk!',
    'Thành phố Hồ Chí Minh',
    'Lê Lợi',
    'die frau meines lebens',
    'Vážený zákazníku',
    'Красная Площадь',
    'Dear Customer Service Team',
  ])('%s is kept', (written) => {
    expect(redactText(written)).toBe(written);
  });
});

describe('personal names', () => {
  it.each([
    ['Mr. Smith called', 'Mr. [name] called'],
    ['Mr Smith', 'Mr [name]'],
    ['Dr Jane Doe', 'Dr [name]'],
    ['Frau Müller und Herr Dr. Schmidt', 'Frau [name] und Herr Dr. [name]'],
    ['Frau Müller Konto gesperrt', 'Frau [name] Konto gesperrt'],
    ['Herr von der Leyen', 'Herr von der [name]'],
    ['Herr Balduin Xanderbek rief an', 'Herr [name] rief an'],
    ['Herrn Balduin Maria Xanderbek', 'Herrn [name]'],
    ['Frau Dr. Balduina Xanderbek', 'Frau Dr. [name]'],
    ['Frau Balduina von Xanderbek', 'Frau [name]'],
    ['Hr. Balduin F. Xanderbek', 'Hr. [name]'],
    ['Herr Müller Konto gesperrt', 'Herr [name] Konto gesperrt'],
    ['Frau Schneider Zugangsdaten', 'Frau [name] Zugangsdaten'],
    ['Frau Schmidt Meyer', 'Frau [name]'],
    ['Sig.ra Balduina Xanderbek', 'Sig.ra [name]'],
    ['Prof.ssa Balduina Xanderbek', 'Prof.ssa [name]'],
    ['Mme Dupont', 'Mme [name]'],
    ['M. Dupont', 'M. [name]'],
    ['Sr. García López', 'Sr. [name]'],
    ['señora Pérez', 'señora [name]'],
    ['Mrs O’Connor', 'Mrs [name]'],
    ['Jane Doe', '[name]'],
    ["Jane Doe's phone", "[name]'s phone"],
    ['JANE DOE', '[name]'],
    ['Jean DUPONT', '[name]'],
    ['John F. Kennedy', '[name]'],
    ["Sinead O'Brien and Sean O'Brien", '[name] and [name]'],
    ['Ludwig van Beethoven', '[name]'],
    ['Maria de la Cruz', '[name]'],
    ['Ali bin Hassan', '[name]'],
    ['Jean-Pierre Dubois-Martin', '[name]'],
    ['José García Nuñez', '[name]'],
    ['Jose\u0301 Garci\u0301a', '[name]'],
    ['Łukasz Kowalski', '[name]'],
    ['Søren Kierkegaard', '[name]'],
    ['Ayşe Yılmaz', '[name]'],
    ['Mohammed al-Sayed', '[name]'],
    ['Priya Sharma', '[name]'],
    ['Wang Wei', '[name]'],
    ['Zhang Xiaoming', '[name]'],
    ['Hiroshi Tanaka', '[name]'],
    ['Tanaka Hiroshi', '[name]'],
    ['Nguyen Van Anh', '[name]'],
    ['Kwame Mensah', '[name]'],
    ['Иван Петров', '[name]'],
    ['Joost van der Berg', '[name]'],
    ['Giulia Rossi, Anders Svensson', '[name], [name]'],
    ['Maja Lindgren, Руслан Сергеев', '[name], [name]'],
    ['Will Smith', '[name]'],
    ['Mark Johnson sent it', '[name] sent it'],
    ['Skip Montanaro wrote', '[name] wrote'],
    ['Frau Lindgren Wartungsvertrag', 'Frau [name] Wartungsvertrag'],
    ['Herr Dietrich Xanderbek rief an', 'Herr [name] rief an'],
    ['message from Mark Zuckerberg', 'message from [name]'],
    ['My name is Jane.', 'My name is [name].'],
    ['my name is Xanthippe', 'my name is [name]'],
    ['mein Name ist Quirin Huber', 'mein Name ist [name]'],
    ["je m'appelle Zélie", "je m'appelle [name]"],
    ['me llamo Ainhoa', 'me llamo [name]'],
    ['This is Peter from Microsoft Support', 'This is [name] from Microsoft Support'],
    ['caller Jane hung up', 'caller [name] hung up'],
    ['Hi Jane, please pay', 'Hi [name], please pay'],
    ['Call from Jane Doe Tuesday', 'Call from [name] Tuesday'],
  ])('%s becomes %s', (written, expected) => {
    expect(redactText(written)).toBe(expected);
  });

  /** Each title that the cues know; the short ones count with a full stop. */
  it.each([...HONORIFICS])('the whole name after %s is found, also of an unlisted given name', (title) => {
    const written = title.length > 3 ? title : `${title[0]?.toUpperCase()}${title.slice(1)}.`;
    const said = redactText(`${written} Balduin Xanderbek rief an`);
    expect(said).toBe(`${written} [name] rief an`);
  });

  it.each([
    'Microsoft Support',
    'Amazon Prime',
    'Will call back',
    'May 2024',
    'Mark as spam',
    'Mark Spam Calls',
    'Your Bill Payment is overdue',
    'Grace Period Expired',
    'Charles Schwab',
    'Robert Bosch GmbH',
    'Wells Fargo Bank',
    'Chase Bank',
    'Trojan Dropper Joker',
    'YARA_Jane_Doe',
    'Jane called',
    'PayPal Security Team',
    'Paris Airport',
    'Clinton Administration',
    'Tarik Tunai',
    'Octavia Combi',
    'April Update',
    'WhatsApp Web',
    'Alexa Voice Service',
    'Hello World',
    'Dear Customer',
    'This is Microsoft',
    'Sparkasse Konto gesperrt',
    'Jordan River',
    'Sierra Leone',
    'Mercedes Benz',
    'com.jane.Doe',
    'Call Center Scam',
    'The Session was stopped',
  ])('%s is not a name and stays', (written) => {
    expect(redactText(written)).toBe(written);
  });
});
