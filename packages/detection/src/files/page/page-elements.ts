/** The attributes of an element, by their names in lower case. */
export type Attributes = Readonly<Record<string, string>>;

const LINKING = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['form', 'action'],
  ['iframe', 'src'],
  ['frame', 'src'],
  ['script', 'src'],
  ['button', 'formaction'],
  ['input', 'formaction'],
  ['base', 'href'],
  ['object', 'data'],
  ['embed', 'src'],
]);

/** What a browser fetches to display a page. */
const SHOWN_FROM = new Map([
  ['img', 'src'],
  ['link', 'href'],
  ['image', 'href'],
  ['source', 'src'],
  ['video', 'src'],
]);

/** Returns what an element displays by an attribute: the words on a button or for a picture, or beside the pointer. */
export function shownBy(name: string, attributes: Attributes): string[] {
  const { title, value, alt } = attributes;
  const ofButton = name === 'input' && /^(?:submit|button|image)$/i.test(attributes.type ?? '');
  return [
    title,
    attributes['aria-label'],
    name === 'img' || ofButton ? alt : undefined,
    ofButton ? value : undefined,
  ].filter((shown) => shown !== undefined);
}

/** Returns where an element leads. In a drawing (SVG) the attribute may have a prefix. */
export function addressIn(name: string, attributes: Attributes): string | undefined {
  const attribute = LINKING.get(name);
  if (attribute === undefined) return undefined;
  const isDrawn = name === 'a' || name === 'script';
  const drawn = isDrawn ? (attributes['xlink:href'] ?? attributes.href) : undefined;
  return (attributes[attribute] ?? drawn)?.trim();
}

/** Returns the URL that an element is displayed from, if it is on another site. */
export function pictureIn(name: string, attributes: Attributes): string | undefined {
  const address = toBrowserUrl(attributes[SHOWN_FROM.get(name) ?? ''] ?? '');
  return isOtherSite(address) ? address : undefined;
}

/**
 * Returns where a page redirects to: the part after the delay, with or without a keyword, quoted or not
 * (HTML, section 4.2.5.3).
 */
export function refreshTarget(content: string): string {
  const target =
    /^[\s\d.]{0,64}[;,\s]\s{0,64}(?:url\s{0,64}=)?\s{0,64}([^\s][\s\S]*)$/i.exec(content)?.[1] ?? '';
  const quote = /^["']/.exec(target)?.[0];
  return quote === undefined ? target : (target.slice(1).split(quote, 1)[0] ?? '');
}

/**
 * Normalizes a URL as browsers do: they skip blanks and control characters and accept any slashes (URL
 * Standard, section 4.4).
 */
export function toBrowserUrl(written: string): string {
  const address = written.replace(/^[\0-\x20]+/, '').replace(/[\t\r\n]/g, '');
  const toSite = /^(https?:)?[/\\]{2,64}(?=[^/\\])|^(https?:)(?=[^/\\])|^(https?:)[/\\](?=[^/\\])/i;
  return address.replace(
    toSite,
    (_, ...schemes: (string | undefined)[]) => `${schemes.slice(0, 3).find(Boolean) ?? ''}//`,
  );
}

/** Decodes the escapes of a URL, such as those of a script in one. */
export function decodeEscapes(address: string): string {
  return address.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Returns whether a URL names another site. */
export function isOtherSite(address: string | undefined): boolean {
  return /^\s*(?:https?:)?\/\//i.test(address ?? '');
}

/** Returns whether a field is for a password, by its type or its name. */
export function isPasswordField({ type = '', name = '' }: Attributes): boolean {
  return type.trim().toLowerCase() === 'password' || (type !== 'hidden' && /passw|pwd/i.test(name));
}
