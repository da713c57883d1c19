export { DeviceCredentials, refuseWiderDevices } from './device-credentials.ts';
export { enrolmentRoutes } from './enrolments/enrolment-routes.ts';
export { EnrolmentService } from './enrolments/enrolment-service.ts';
export type { MintedToken } from './token.ts';
export { type AuthenticationResult, TokenAuthenticator } from './token-authenticator.ts';
export { tokenRoutes } from './token-routes.ts';
export { TokenService } from './token-service.ts';
export * as tokenStore from './token-store.ts';
export { digestOfToken } from './token-store.ts';
