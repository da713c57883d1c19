/** The beginning of a Windows program: enough to be recognized, too little to run. */
export const PROGRAM = Uint8Array.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, ...new Array(120).fill(0), 0xff]);

/**
 * The test file of EICAR, which every scanner finds. In parts, so that a scanner does not quarantine this
 * source.
 */
export const EICAR = [
  ['X5O!P%@AP', '[4\\PZX54(P^)7CC)7}'].join(''),
  ['$EICAR', 'STANDARD', 'ANTIVIRUS', 'TEST', 'FILE!'].join('-'),
  '$H+H*',
].join('');

export const WORDS = 'Your parcel could not be delivered today, please confirm your address with us';

/** A PDF document with one page for each content, followed by the given objects. */
export function buildPdf(contents: readonly string[], objects: readonly string[] = []): Uint8Array {
  const pages = contents.map((content) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  const all = ['<< /Type /Catalog /Pages 2 0 R >>', ...pages, ...objects];
  const body = all.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF`, 'latin1');
}

export function buildMail(headers: readonly string[], body: string): string {
  return [
    'From: "Help" <help@bank.example>',
    'To: you@example.org',
    'Subject: Notice',
    ...headers,
    '',
    body,
  ].join('\r\n');
}

/** A Windows shortcut with a command line, in two bytes per character as Windows writes it. */
export function buildShortcut(command: string): Uint8Array {
  const header = Buffer.from('4c0000000114020000000000c000000000000046', 'hex');
  return Buffer.concat([header, Buffer.alloc(56), Buffer.from(command, 'utf16le')]);
}
