import type { NewNoticeChannel, NoticeChannelKind } from '@tps/contract';
import { assertCanSign } from '../../../platform/outbound/assert-can-sign.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { isTimeZone } from './quiet-hours.ts';

/** The members that say where a channel leads, by kind. */
const TARGETS: Readonly<Record<NoticeChannelKind, readonly TargetMember[]>> = {
  email: ['address'],
  slack: ['url'],
  webhook: ['url', 'secret'],
};
const TARGET_MEMBERS = ['address', 'url', 'secret'] as const;
type TargetMember = (typeof TARGET_MEMBERS)[number];

/** @throws ServiceError `missing_field`, `invalid_field` */
export function assertIsComplete(wanted: NewNoticeChannel, { hasMail }: { hasMail: boolean }): void {
  const { kind } = wanted;
  if (kind === 'email' && !hasMail) {
    throw invalid('kind: this service sends no mail; its operator has not set SERVICE_SMTP_URL');
  }
  for (const member of TARGETS[kind]) {
    if (wanted[member] === undefined) {
      throw new ServiceError('missing_field', `${member} is required for a channel of kind ${kind}`);
    }
  }
  assertFits(wanted, kind);
}

/** @throws ServiceError `invalid_field` */
export function assertFits(
  members: Pick<NewNoticeChannel, TargetMember | 'quiet_hours'>,
  kind: NoticeChannelKind,
): void {
  const extra = TARGET_MEMBERS.find(
    (member) => members[member] !== undefined && !TARGETS[kind].includes(member),
  );
  if (extra !== undefined) throw invalid(`${extra} is not a member of a channel of kind ${kind}`);
  if (members.secret !== undefined) assertCanSign(members.secret);
  const zone = members.quiet_hours?.time_zone;
  if (zone !== undefined && !isTimeZone(zone)) {
    throw invalid('quiet_hours.time_zone is not a time zone, such as Europe/Berlin');
  }
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_field', message);
}
