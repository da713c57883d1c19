export {
  type Account,
  type AccountId,
  isEmail,
  isPersonName,
  MAX_EMAIL_LENGTH,
  MAX_NAME_LENGTH,
  toEmailKey,
  toMailboxKey,
  toStoredEmail,
} from './account.ts';
export { appendAccountEntry } from './account-audit.ts';
export { accountPage, actionForm, timeText } from './account-pages/account-page.ts';
export type { AccountTies } from './account-pages/account-ties.ts';
export {
  type AccountService,
  EMAIL_REFUSAL,
  type FieldRefusal,
  isFieldRefusal,
  type PreparedAccount,
} from './account-service.ts';
export * as accountStore from './account-store.ts';
export * as challengeStore from './challenges/challenge-store.ts';
export type { LoginService, SignedIn } from './login/login-service.ts';
export { signOnPath } from './login/sign-on-path.ts';
export { BreachedPasswords } from './passwords/breached-passwords.ts';
export { type PasswordCost, PasswordHasher } from './passwords/password-hasher.ts';
export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './passwords/password-rules.ts';
export { removeAccount } from './remove-account.ts';
export { createResetLink } from './reset/create-reset-link.ts';
export { removeApp } from './second-factors/remove-app.ts';
export { SecondFactors } from './second-factors/second-factors.ts';
export { findUnreadableTotp, rewrapTotpSecrets } from './second-factors/stored-totp-secrets.ts';
export {
  type AccountSession,
  isRecent,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
} from './sessions/account-session.ts';
export { AccountSessions, removedSessionCookie } from './sessions/account-sessions.ts';
export { requireSession } from './sessions/require-session.ts';
export { removeOfTenant as removeSessionsOfTenant } from './sessions/session-store.ts';
export { setDisabled } from './set-disabled.ts';
export {
  knownAddressKey,
  LoginThrottle,
  type Refusal,
  type ThrottleKey,
} from './throttling/login-throttle.ts';
export { NoticeMailLimit } from './throttling/notice-mail-limit.ts';
export type { EndedCredentials } from './verification/ended-credentials.ts';
export { emailText, endedText, firstProofText } from './verification/verification-page.ts';
export type { FirstProof, VerificationService } from './verification/verification-service.ts';
