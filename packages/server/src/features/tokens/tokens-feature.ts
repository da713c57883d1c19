import type { Feature, SharedParts } from '../feature.ts';
import { enrolmentRoutes } from './enrolments/enrolment-routes.ts';
import { EnrolmentService } from './enrolments/enrolment-service.ts';
import { TokenAuthenticator } from './token-authenticator.ts';
import { tokenRoutes } from './token-routes.ts';
import { TokenService } from './token-service.ts';

/** Tokens, and the secrets with which devices enrol. */
export function tokensFeature(shared: SharedParts) {
  const { requests } = shared;
  const authenticator = new TokenAuthenticator(shared);
  const tokens = new TokenService(shared);
  const enrolments = new EnrolmentService(shared);
  const parts = { ...shared, database: requests, tokens, enrolments };
  return {
    ...{ authenticator, tokens },
    routes: [...enrolmentRoutes(parts), ...tokenRoutes(parts)],
    chores: { 'token usage': () => authenticator.recordUses() },
    close: () => authenticator.recordUses(),
  } satisfies Feature;
}
