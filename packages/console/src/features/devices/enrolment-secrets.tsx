import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Enrolment } from '@tps/client';
import { QueryState, removed, Section, TimeValue, useAct } from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import classes from './enrolment-secrets.module.css';

/** The secrets that devices can still register with. */
export function EnrolmentSecrets() {
  const client = useClient();
  const query = useQuery({
    queryKey: ['enrolments'],
    queryFn: async ({ signal }) => {
      const { data } = await client.enrolments.list({ limit: 100, signal }).page();
      return data.filter(({ status, uses, max_uses }) => status === 'active' && uses < max_uses);
    },
  });
  return (
    <QueryState query={query}>
      {(secrets) =>
        secrets.length > 0 && (
          <Section title="Secrets in use">
            <ul className={classes.list}>
              {secrets.map((secret) => (
                <SecretRow key={secret.enrolment_id} secret={secret} />
              ))}
            </ul>
          </Section>
        )
      }
    </QueryState>
  );
}

function SecretRow({ secret }: { readonly secret: Enrolment }) {
  const revoke = useAct({
    run: (client) => removed(client.enrolments.revoke(secret.enrolment_id)),
    changes: [['enrolments']],
    done: 'Enrolment secret revoked',
  });
  return (
    <li className={classes.row}>
      <span>
        <bdi className={classes.name}>{secret.name}</bdi>
        <span className={classes.quiet}>
          {secret.uses.toLocaleString()} of {secret.max_uses.toLocaleString()} devices, ends{' '}
          <TimeValue value={secret.expires_at} />
        </span>
      </span>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Revoke ${secret.name}`}
        loading={revoke.isPending}
        onClick={() => revoke.mutate()}
      >
        Revoke
      </Button>
    </li>
  );
}
