import type { Config } from '../../platform/config/config.ts';
import type { WebSite } from '../../platform/web/web-route.ts';

/** Where the console is below the service's own root. */
export const CONSOLE_MOUNT_PATH = '/console';

/** The pages' own address, which is complete once the service listens: port 0 means any free port. */
export class OwnSite implements WebSite {
  /** Where the pages are below the service's own root. */
  readonly mountPath: string;
  readonly isSecure: boolean;
  readonly consolePath: string;
  #url: string;

  constructor({ urls }: Pick<Config, 'urls'>) {
    const { pathname, protocol } = new URL(urls.authUrl);
    // A proxy in front removes its prefix.
    const hasPrefix = urls.publicPrefix !== '' && pathname.startsWith(`${urls.publicPrefix}/`);
    this.mountPath = hasPrefix ? pathname.slice(urls.publicPrefix.length) : pathname;
    this.consolePath = `${hasPrefix ? urls.publicPrefix : ''}${CONSOLE_MOUNT_PATH}`;
    this.isSecure = protocol === 'https:';
    this.#url = urls.authUrl;
  }

  get url(): string {
    return this.#url;
  }

  path(page: string): string {
    return `${new URL(this.#url).pathname}${page}`;
  }

  /** Takes over the port that the service has got. */
  listensAt(baseUrl: string): void {
    const own = new URL(this.#url);
    if (own.port === '0') own.port = new URL(baseUrl).port;
    this.#url = own.href;
  }
}
