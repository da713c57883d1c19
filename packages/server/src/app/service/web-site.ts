import { operations } from '@tps/contract';
import type { Config } from '../../platform/config/config.ts';
import type { WebSite } from '../../platform/web/web-route.ts';

/** Where the console is below the service's own root. */
export const CONSOLE_MOUNT_PATH = '/console';

/** Where clients of OAuth2 look for metadata. */
const METADATA_PATH = '/.well-known';

/** Lists all paths of the service below its own root, and the roots of its pages. */
export function listOwnPaths({ mountPath }: Pick<OwnSite, 'mountPath'>): string[] {
  return [...operations.map(({ path }) => path), mountPath, CONSOLE_MOUNT_PATH, METADATA_PATH];
}

/** The pages' own address, which is complete once the service listens: port 0 means any free port. */
export class OwnSite implements WebSite {
  /** Where the pages are below the service's own root. */
  readonly mountPath: string;
  readonly isSecure: boolean;
  readonly consolePath: string;
  readonly #isAtApi: boolean;
  #url: string;

  constructor({ urls }: Pick<Config, 'urls'>) {
    const { pathname, protocol } = new URL(urls.authUrl);
    // A proxy in front removes its prefix.
    const hasPrefix = urls.publicPrefix !== '' && pathname.startsWith(`${urls.publicPrefix}/`);
    this.mountPath = hasPrefix ? pathname.slice(urls.publicPrefix.length) : pathname;
    this.consolePath = `${hasPrefix ? urls.publicPrefix : ''}${CONSOLE_MOUNT_PATH}`;
    this.isSecure = protocol === 'https:';
    this.#isAtApi = new URL(urls.baseUrl).origin === new URL(urls.authUrl).origin;
    this.#url = urls.authUrl;
  }

  get url(): string {
    return this.#url;
  }

  path(page: string): string {
    return `${new URL(this.#url).pathname}${page}`;
  }

  /** Where a browser at the address of the API finds the console: a path, unless the pages have another host. */
  get consoleLocation(): string {
    return this.#isAtApi ? this.consolePath : new URL(this.consolePath, this.#url).href;
  }

  /** Takes over the port that the service has got. */
  listensAt(baseUrl: string): void {
    const own = new URL(this.#url);
    if (own.port === '0') own.port = new URL(baseUrl).port;
    this.#url = own.href;
  }
}
