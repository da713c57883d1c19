import type { Secret } from '../crypto/secret.ts';
import { isLoopback } from '../http/http-address.ts';
import type { Mail } from './mail.ts';

/** Where mail is handed over. */
export interface SmtpServer {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly url: Secret;
  /** Address that mails come from. */
  readonly from: string;
}

/** Hands a mail to the server. @throws Error if the server does not accept it */
export type SmtpTransport = (mail: Mail) => Promise<void>;

/** Why a mail was not sent, as it may be logged. */
export interface MailFailure {
  readonly reason: string;
  readonly smtp_status?: number;
}

/** Port of message submission (RFC 6409), and with TLS from the start (RFC 8314). */
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const CONNECT_MS = 5000;
const IDLE_MS = 10_000;

/** Opens the transport. Each mail uses a new connection. */
export async function openTransport({ url, from }: SmtpServer): Promise<SmtpTransport> {
  // Loaded when the first mail is sent: most services send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...toConnection(new URL(url.reveal())),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    // A mail consists of its text only.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = toAddress(from).split('@')[1];
  return async ({ to, subject, text, id }) => {
    // As objects: a text would be parsed as a list of addresses.
    await transport.sendMail({
      from: { name: '', address: toAddress(from) },
      to: { name: '', address: toAddress(to) },
      subject: toHeader(subject),
      text,
      ...(id === undefined ? {} : { messageId: `<${toHeader(id)}@${domain}>` }),
    });
  };
}

function toConnection(url: URL) {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const isLocal = isLoopback(host);
  return {
    host,
    port: url.port === '' ? PORTS[url.protocol] : Number(url.port),
    secure: isTls,
    // Elsewhere a mail, with its link and the password of the server, never travels in plain text.
    requireTLS: !isTls && !isLocal,
    ignoreTLS: !isTls && isLocal,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
  };
}

/** @throws Error for a text that could become more than one address or header */
function toAddress(text: string): string {
  if (!/^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u.test(text)) {
    throw new Error('the address is malformed');
  }
  return text;
}

function toHeader(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ').trim();
}

/** Describes a failure without the words of the mail server, which may repeat what was sent to it. */
export function toMailFailure(cause: unknown): MailFailure {
  if (!(cause instanceof Error)) return { reason: 'unknown failure' };
  const { code = 'unknown', responseCode } = cause as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode === 'number') return { reason: String(code), smtp_status: responseCode };
  return { reason: cause.message.slice(0, 500) };
}
