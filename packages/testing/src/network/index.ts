export { type DiscoveryStandIn, startDiscoveryStandIn } from './discovery-stand-in.ts';
export { startDnsStandIn } from './dns-stand-in.ts';
export { findFreePort } from './free-port.ts';
export { startTcpRelay } from './tcp-relay.ts';
export {
  type CertificatePair,
  createTestAuthority,
  issueSelfSigned,
  type TestAuthority,
} from './test-certificates.ts';
