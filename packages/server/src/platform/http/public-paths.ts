/**
 * The paths of the service as clients see them: below the path of SERVICE_BASE_URL, the prefix. A proxy in front removes the
 * prefix from requests, or passes it on. Only this class adds it to a path that leaves the service.
 */
export class PublicPaths {
  readonly #prefix: string;
  /** Whether a path that begins with the prefix cannot be one of the service's own paths. */
  readonly #isDistinct: boolean;

  /**
   * @param prefix empty, or such as `/tps`
   * @param ownPaths the service's own paths, such as `/events`
   */
  constructor(prefix: string, ownPaths: readonly string[]) {
    this.#prefix = prefix;
    this.#isDistinct = prefix !== '' && !ownPaths.some((path) => `${path}/`.startsWith(`${prefix}/`));
  }

  /** Returns the path under which clients reach one of the service's own paths. */
  toPublic(ownPath: string): string {
    return `${this.#prefix}${ownPath}`;
  }

  /** Returns the service's own URL for one that arrives with or without the prefix. */
  toOwn(url: string): string {
    if (!this.#isDistinct || !url.startsWith(this.#prefix)) return url;
    const rest = url.slice(this.#prefix.length);
    if (rest === '' || rest.startsWith('?')) return `/${rest}`;
    return rest.startsWith('/') ? rest : url;
  }
}
