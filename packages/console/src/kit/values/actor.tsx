import { IconApi, IconKey, IconRobot, IconTerminal2, IconUser } from '@tabler/icons-react';
import classes from './actor.module.css';
import { IdLink } from './id-link.tsx';

interface ActorProps {
  readonly type: string;
  readonly id: string;
  /** The name of a person, token or OAuth client, where the service knows it. */
  readonly name?: string | undefined;
}

const ICONS: Readonly<Record<string, typeof IconUser>> = {
  account: IconUser,
  token: IconKey,
  oauth_client: IconApi,
  command_line: IconTerminal2,
  service: IconRobot,
};

/** Actors that are not an object with an id. */
const WORDS: Readonly<Record<string, string>> = {
  command_line: 'Operator, command line',
  service: 'The service',
};

/** Whose act it was: a person, a key, an application, the operator, or the service itself. */
export function Actor({ type, id, name }: ActorProps) {
  const Mark = ICONS[type] ?? IconUser;
  return (
    <span className={classes.actor}>
      <Mark size={14} stroke={1.75} aria-hidden="true" className={classes.mark} />
      <bdi className={classes.name}>{WORDS[type] ?? <IdLink id={id}>{name ?? id}</IdLink>}</bdi>
    </span>
  );
}

/** Returns an actor as plain text, for copying and export. */
export function actorText({ type, id, name }: ActorProps): string {
  return WORDS[type] ?? name ?? id;
}
