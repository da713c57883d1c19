export { type AddressType, type DnsQuery, type DnsStandIn, startDnsStandIn } from './dns-stand-in.ts';
export { findFreePort } from './free-port.ts';
export { startTcpRelay, type TcpRelay } from './tcp-relay.ts';
export {
  type CertificatePair,
  createTestAuthority,
  issueSelfSigned,
  type TestAuthority,
} from './test-certificates.ts';
