/** The ended credentials and access of an account. */
export interface EndedCredentials {
  readonly hadPassword: boolean;
  readonly passkeys: number;
  /** Whether an authenticator app was on. */
  readonly hadApp: boolean;
  readonly sessions: number;
  /** Applications that had access. */
  readonly applications: number;
}

/** Describes each item that has ended. Empty if nothing has. */
export function toEndedItems(ended: EndedCredentials): string[] {
  const { hadPassword, passkeys, hadApp, sessions, applications } = ended;
  return [
    hadPassword ? 'the earlier password' : '',
    countOf(passkeys, 'passkey'),
    hadApp ? 'the authenticator app and its recovery codes' : '',
    countOf(sessions, 'session'),
    applications === 0 ? '' : `the access of ${countOf(applications, 'application')}`,
  ].filter((item) => item !== '');
}

function countOf(count: number, noun: string): string {
  if (count === 0) return '';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
