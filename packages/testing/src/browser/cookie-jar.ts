interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** The cookies of one host, as a browser keeps them. */
export class CookieJar {
  #cookies: Cookie[] = [];

  /** Keeps what a response sets, and forgets what it removes. */
  accept(headers: Headers, url: URL): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const [name, value] = splitOnce(pair);
      const given = new Map(
        attributes.map((part) => splitOnce(part)).map(([key, text]) => [key.toLowerCase(), text]),
      );
      const path = given.get('path') || url.pathname.replace(/\/[^/]*$/, '') || '/';
      this.#cookies = this.#cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
      if (!hasEnded(given)) this.#cookies.push({ name, value, path });
    }
  }

  /** Returns the `Cookie` header of a request, the longest path first. */
  header(url: URL): string {
    return this.#cookies
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .sort((left, right) => right.path.length - left.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** Returns the value of a cookie of any path. */
  get(name: string): string | undefined {
    return this.#cookies.find((cookie) => cookie.name === name)?.value;
  }

  /** Sets a cookie, as malware or another site of the domain might. */
  set(name: string, value: string, path = '/'): void {
    this.remove(name);
    this.#cookies.push({ name, value, path });
  }

  remove(name: string): void {
    this.#cookies = this.#cookies.filter((cookie) => cookie.name !== name);
  }

  names(): string[] {
    return this.#cookies.map(({ name }) => name);
  }
}

function hasEnded(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attributes.get('expires');
  // The service removes a cookie by an end in 1970, regardless of the clock of the test.
  return expires !== undefined && Date.parse(expires) <= 86_400_000;
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
