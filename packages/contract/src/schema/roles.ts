import { ROLES } from './scopes.ts';
import { stringEnum } from './values.ts';

/** Schema of a `Role`. */
export const RoleName = stringEnum(
  ROLES,
  'What a member may do: a named set of scopes. `viewer` reads, `analyst` also works on incidents, `admin` holds every scope.',
);
