import type { Client } from '@tps/client';
import { createContext, type ReactNode, useContext } from 'react';
import type { Session } from './exchange-session.ts';

interface SessionValue {
  readonly session: Session;
  readonly client: Client;
}

const SessionContext = createContext<SessionValue | undefined>(undefined);

export function SessionProvider({ value, children }: { value: SessionValue; children: ReactNode }) {
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** Returns the signed-in person. */
export function useSession(): Session {
  return useSessionValue().session;
}

/** Returns the client of the API, which acts as the signed-in person in their tenant. */
export function useClient(): Client {
  return useSessionValue().client;
}

/** Returns whether the person holds a scope. Actions that the role does not allow are not shown. */
export function useCan(): (scope: string) => boolean {
  const { scopes } = useSession();
  return (scope) => scopes.includes(scope);
}

function useSessionValue(): SessionValue {
  const value = useContext(SessionContext);
  if (!value) throw new Error('SessionProvider is missing');
  return value;
}
