/** A button of a form. */
export interface FormButton {
  readonly name: string | undefined;
  readonly value: string;
  readonly text: string;
}

/** A form of a page, as a browser reads it. */
export interface HtmlForm {
  readonly action: URL;
  readonly method: 'get' | 'post';
  /** What a browser sends if no one types or chooses anything, without a button. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The names of all controls. */
  readonly names: ReadonlySet<string>;
  readonly buttons: readonly FormButton[];
}

/** What a test sees of a page of the service. Reads our own pages, not any HTML. */
export interface HtmlPage {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly title: string;
  /** The text that a person reads, with single spaces. */
  readonly text: string;
  readonly forms: readonly HtmlForm[];
  readonly links: readonly { readonly url: URL; readonly text: string }[];
  /** Where the page leads by itself (header `Refresh`). */
  readonly refresh: URL | undefined;
  /** The address outside of the service to which it redirected. The page is empty then. */
  readonly leftTo: URL | undefined;
}

/** Reads a response as a page. */
export async function readPage(response: Response, url: URL): Promise<HtmlPage> {
  const html = await response.text();
  const toUrl = (text: string) => new URL(text, url);
  const refresh = response.headers.get('refresh') ?? undefined;
  return {
    url,
    status: response.status,
    headers: response.headers,
    html,
    title: textOf(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? ''),
    text: textOf(/<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? html),
    forms: elements(html, 'form').map(([attributes, inside]) => readForm(attributes, { inside, url })),
    links: elements(html, 'a').map(([{ href = '' }, inside]) => ({ url: toUrl(href), text: textOf(inside) })),
    refresh: refresh === undefined ? undefined : toUrl(refresh.replace(/^[^=]*=/, '')),
    leftTo: undefined,
  };
}

type Attributes = Readonly<Record<string, string>>;

function readForm(attributes: Attributes, { inside, url }: { inside: string; url: URL }): HtmlForm {
  const inputs = tags(inside, 'input').filter(({ name }) => name !== undefined);
  const selects = elements(inside, 'select');
  const areas = elements(inside, 'textarea');
  const fields = [
    ...inputs
      .filter(isSent)
      .map(({ name = '', value, type }) => [name, value ?? (isChoice(type) ? 'on' : '')] as const),
    ...selects.map(([{ name = '' }, options]) => [name, chosenOption(options)] as const),
    ...areas.map(([{ name = '' }, text]) => [name, decode(text)] as const),
  ];
  const controls = [...inputs, ...selects.map(([select]) => select), ...areas.map(([area]) => area)];
  return {
    action: new URL(attributes.action ?? url, url),
    method: attributes.method?.toLowerCase() === 'post' ? 'post' : 'get',
    fields,
    names: new Set(controls.map(({ name = '' }) => name)),
    buttons: elements(inside, 'button')
      .filter(([{ type = 'submit' }]) => type === 'submit')
      .map(([{ name, value = '' }, text]) => ({ name, value, text: textOf(text) })),
  };
}

function isSent({ type, checked }: Attributes): boolean {
  if (type === 'submit' || type === 'button') return false;
  return !isChoice(type) || checked !== undefined;
}

function isChoice(type: string | undefined): boolean {
  return type === 'radio' || type === 'checkbox';
}

function chosenOption(options: string): string {
  const all = elements(options, 'option');
  const [attributes, text] = all.find(([option]) => option.selected !== undefined) ?? all[0] ?? [{}, ''];
  return attributes.value ?? textOf(text);
}

function elements(html: string, name: string): [Attributes, string][] {
  const pattern = new RegExp(`<${name}(\\s[^>]*)?>(.*?)</${name}>`, 'gs');
  return [...html.matchAll(pattern)].map(([, attributes = '', inside = '']) => [
    readAttributes(attributes),
    inside,
  ]);
}

function tags(html: string, name: string): Attributes[] {
  const pattern = new RegExp(`<${name}(\\s[^>]*)?>`, 'gs');
  return [...html.matchAll(pattern)].map(([, attributes = '']) => readAttributes(attributes));
}

function readAttributes(text: string): Attributes {
  const found = text.matchAll(/([\w-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, decode(value)]));
}

function textOf(html: string): string {
  const visible = html.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ');
  return decode(visible).replace(/\s+/g, ' ').trim();
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
