import { createSocket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';

/** Not exported by dns-packet (RFC 1035, section 4.1.1). */
const NXDOMAIN = 3;

type AddressType = 'A' | 'AAAA';

type DnsQuery = { readonly name: string; readonly type: string };

export interface DnsStandIn {
  /** For `dnsServers`. */
  readonly address: { readonly host: string; readonly port: number };
  /**
   * Sets the addresses of a name, IPv4 and IPv6 together; each query gets those of its type. A function is called for
   * each query, so that the addresses of a name can change.
   */
  answer(name: string, addresses: readonly string[] | ((type: AddressType) => readonly string[])): void;
  /** Never answers queries for a name. */
  ignore(name: string): void;
  /** All queries so far, in order. */
  queries(): readonly DnsQuery[];
  close(): Promise<void>;
}

/** Starts a name server on loopback. It answers NXDOMAIN for every name that a test has not set. */
export async function startDnsStandIn(): Promise<DnsStandIn> {
  const names = new Map<string, (type: AddressType) => readonly string[]>();
  const ignored = new Set<string>();
  const received: DnsQuery[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (packet, peer) => {
    const reply = toReply(packet);
    if (reply) socket.send(reply, peer.port, peer.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));

  function toReply(packet: Buffer): Buffer | undefined {
    const { id, questions } = decode(packet);
    const [question] = questions ?? [];
    if (!question) return undefined;
    const { type } = question;
    const name = question.name.toLowerCase();
    received.push({ name, type });
    if (ignored.has(name)) return undefined;
    const find = names.get(name);
    const found = find && (type === 'A' || type === 'AAAA') ? find(type) : [];
    const isWanted = type === 'A' ? isIPv4 : isIPv6;
    const answers: Answer[] = found
      .filter((address) => isWanted(address))
      .map((data) => ({ type: type as AddressType, name: question.name, ttl: 0, data }));
    const flags = AUTHORITATIVE_ANSWER | (find ? 0 : NXDOMAIN);
    return encode({
      type: 'response',
      ...(id === undefined ? {} : { id }),
      flags,
      questions: [question],
      answers,
    });
  }

  return {
    address: { host: '127.0.0.1', port: socket.address().port },
    answer(name, addresses) {
      ignored.delete(name);
      names.set(name, typeof addresses === 'function' ? addresses : () => addresses);
    },
    ignore: (name) => void ignored.add(name),
    queries: () => received,
    close: () => new Promise((closed) => socket.close(() => closed())),
  };
}
