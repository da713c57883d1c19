import { isIP } from 'node:net';
import { Secret } from '../crypto/secret.ts';
import { type HttpAddress, parseHttpAddress } from '../http/http-address.ts';
import { type Network, parseNetwork } from '../outbound/allowed-networks.ts';
import { parseHeaderList } from './header-list.ts';

const KEY_BYTES = 32;
const MAX_SHOWN = 80;

/** How the text of one variable becomes a value. */
export type Kind<Value> = {
  /** Completes the sentence "expected …". */
  readonly expects: string;
  /** Undefined when the text is malformed. */
  readonly parse: (text: string) => Value | undefined;
  /** The malformed text as an error message may show it. */
  readonly show: (text: string) => string;
  /** The text is a secret or may contain one: a file can hold it, which a second variable names. */
  readonly isSecret?: true;
};

/** Which store, and where. The URL may contain a password. */
export type DatabaseTarget = { readonly engine: 'sqlite' | 'postgres'; readonly url: Secret };

export const flag: Kind<boolean> = {
  expects: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  show: quote,
};

export const path: Kind<string> = { expects: 'a path', parse: (text) => text, show: quote };

export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    expects: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
    show: quote,
  };
}

export const ratio: Kind<number> = {
  expects: 'a number from 0 to 1, such as 0.05',
  parse: (text) => (/^(?:0?\.\d{1,9}|0|1|1\.0{1,9})$/.test(text) ? Number(text) : undefined),
  show: quote,
};

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  return {
    expects: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((choice) => choice === text),
    show: quote,
  };
}

export const address: Kind<HttpAddress> = {
  expects: 'host:port, such as 127.0.0.1:8080 or [::1]:8080',
  parse: parseHttpAddress,
  show: quote,
};

export const addressList: Kind<readonly HttpAddress[]> = {
  expects: 'addresses with ports, separated by commas, such as 127.0.0.1:53,[::1]:53',
  parse: (text) => {
    const parsed = text.split(',').map((part) => parseHttpAddress(part.trim()));
    const whole = parsed.filter((part) => part !== undefined && isIP(part.host) !== 0);
    return whole.length === parsed.length ? (whole as HttpAddress[]) : undefined;
  },
  show: quote,
};

export const networkList: Kind<readonly Network[]> = {
  expects: 'networks without host bits, separated by commas, such as 10.20.0.0/16,fd12:3456::/32',
  parse: (text) => {
    const parsed = text.split(',').map((part) => parseNetwork(part.trim()));
    return parsed.every((network) => network !== undefined) ? parsed : undefined;
  },
  show: quote,
};

export const addressOrOff: Kind<HttpAddress | 'off'> = {
  expects: 'host:port, such as 127.0.0.1:9464, or off',
  parse: (text) => (text === 'off' ? 'off' : parseHttpAddress(text)),
  show: quote,
};

export const originList: Kind<readonly string[]> = {
  expects: 'origins as browsers send them, separated by commas, such as https://console.example.com',
  parse: (text) => {
    const origins = text.split(',').map((part) => part.trim());
    const isOrigin = (origin: string) =>
      /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
    return origins.every(isOrigin) ? origins : undefined;
  },
  show: quote,
};

export const bearerToken: Kind<Secret> = {
  expects: '16 to 256 visible ASCII characters (openssl rand -hex 32)',
  isSecret: true,
  parse: (text) => (/^[\x21-\x7e]{16,256}$/.test(text) ? new Secret(text) : undefined),
  show: () => 'not shown',
};

/** Where something listens: a TCP port, or a Unix socket. */
export type ListenAddress = HttpAddress | { readonly socketPath: string };

export const listeningPlace: Kind<ListenAddress> = {
  expects: 'host:port, such as 127.0.0.1:3310, or the absolute path of a Unix socket',
  parse: (text) => (text.startsWith('/') ? { socketPath: text } : parseHttpAddress(text)),
  show: quote,
};

/** Returns the URL without a trailing slash, so that paths can be appended. */
export const httpUrl: Kind<string> = {
  expects: 'an http or https URL without user, query or fragment',
  parse: (text) => {
    if (!/^https?:\/\/[^\s?#@\\]+$/.test(text) || !URL.canParse(text)) return undefined;
    return new URL(text).href.replace(/\/+$/, '');
  },
  show: (text) => quote(text.replace(/\/\/.*@/, '//…@')),
};

export const smtpUrl: Kind<Secret> = {
  expects: 'a URL smtp://host:port or smtps://host:port, with user:password@ if the mail server requires it',
  isSecret: true,
  parse: (text) =>
    /^smtps?:\/\/[^\s?#]+$/.test(text) && URL.canParse(text)
      ? new Secret(text.replace(/\/+$/, ''))
      : undefined,
  show: (text) => (/^[a-z]+:\/\//.test(text) ? quote(text.replace(/:\/\/.*$/s, '://…')) : 'not shown'),
};

/** A URL that may be a secret as a whole. */
export const postUrl: Kind<Secret> = {
  expects: 'a URL https://… without user, password and fragment',
  isSecret: true,
  parse: (text) => {
    if (!/^https?:\/\/[^\s#@\\]+$/.test(text) || !URL.canParse(text)) return undefined;
    return new Secret(text);
  },
  show: (text) => (/^[a-z]+:\/\//.test(text) ? quote(text.replace(/:\/\/.*$/s, '://…')) : 'not shown'),
};

export const headerList: Kind<Secret> = {
  expects: 'headers as name=value, separated by commas, with percent-encoded values',
  isSecret: true,
  parse: (text) => (parseHeaderList(text) ? new Secret(text) : undefined),
  show: () => 'not shown',
};

export const mailAddress: Kind<string> = {
  expects: 'an e-mail address, such as tps@example.com',
  parse: (text) => (/^[^\s@<>(),;:"\\]+@[A-Za-z0-9.-]+$/.test(text) ? text : undefined),
  show: quote,
};

export const databaseUrl: Kind<DatabaseTarget> = {
  expects: 'sqlite:<path>, postgres://… or postgresql://…',
  isSecret: true,
  parse: (text) => {
    if (/^postgres(ql)?:\/\/./.test(text)) {
      return URL.canParse(text) ? { engine: 'postgres', url: new Secret(text) } : undefined;
    }
    return /^sqlite:(?!\/\/)./.test(text) ? { engine: 'sqlite', url: new Secret(text) } : undefined;
  },
  // In a mistyped URL, a password may be anywhere after the scheme.
  show: (text) => (/^[a-z]+:\/\//.test(text) ? quote(text.replace(/:\/\/.*$/s, '://…')) : 'not shown'),
};

export const secretKey: Kind<Secret<Buffer>> = {
  expects: `${KEY_BYTES} bytes in canonical base64 (openssl rand -base64 ${KEY_BYTES})`,
  isSecret: true,
  parse: (text) => {
    const bytes = Buffer.from(text, 'base64');
    const isCanonical = bytes.toString('base64') === text;
    return isCanonical && bytes.length === KEY_BYTES ? new Secret(bytes) : undefined;
  },
  show: () => 'not shown',
};

function quote(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
