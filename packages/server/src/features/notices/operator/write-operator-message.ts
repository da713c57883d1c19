import { toShortTime } from '../notice.ts';
import type { PendingMessage } from './check-record.ts';
import type { OperatorMessage } from './operator-outlet.ts';
import { rankOf, type ServiceCheck } from './service-check.ts';

/** Writes a message to the operator in plain text. */
export function writeOperatorMessage(
  { name, whatToDo }: Pick<ServiceCheck, 'name' | 'whatToDo'>,
  message: PendingMessage,
  baseUrl: string,
): OperatorMessage {
  const { kind, level, problem, sinceMs, decidedAtMs, host } = message;
  const isFailing = kind === 'failing';
  const subject = isFailing
    ? `[${level}] Service unhealthy${changeOf(message)}: ${problem}`
    : `Service recovered: ${problem}`;
  const text = [
    subject,
    '',
    `Since: ${toShortTime(sinceMs)}`,
    ...(isFailing ? [] : [`Until: ${toShortTime(decidedAtMs)}`]),
    `Service: ${baseUrl}, on ${host}`,
    `What to do: ${isFailing ? whatToDo : 'Nothing.'}`,
    '',
  ].join('\n');
  return { id: `service.${name}.${kind}.${level}.${decidedAtMs}`, subject, text };
}

function changeOf({ level, levelBefore }: PendingMessage): string {
  if (levelBefore === null) return '';
  return rankOf(level) > rankOf(levelBefore) ? ', more severe' : ', less severe';
}
