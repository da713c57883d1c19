import { ROLES, type Role } from '@tps/contract/vocabulary';

/** What each role is for. */
const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  viewer: 'Reads everything that devices report. Changes nothing.',
  analyst: 'Also handles incidents and jobs, and reviews the recommendations of triage.',
  admin: 'Also manages devices, policies, webhooks, keys, members and sign-on.',
};

export const ROLE_CHOICES = ROLES.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
  description: ROLE_MEANINGS[value],
}));
