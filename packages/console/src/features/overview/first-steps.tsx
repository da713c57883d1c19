import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import type { ProtectionStatus } from '@tps/client';
import { type ReactNode, useState } from 'react';
import { PageLink, Section, Snippet } from '../../kit/index.ts';
import { API_URL, useCan, useSession } from '../../session/index.ts';
import classes from './first-steps.module.css';
import { isPutAway, putAway } from './put-away.ts';

interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly scope: string;
  readonly children: ReactNode;
}

/** What a new tenant does first. It is shown until everything is done, or until the reader puts it away. */
export function FirstSteps({ status }: { readonly status: ProtectionStatus }) {
  const can = useCan();
  const { tenant } = useSession();
  const [isHidden, setHidden] = useState(() => isPutAway(tenant.id));
  const steps = toSteps(status, tenant.id).filter(({ scope }) => can(scope));
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || done === steps.length) return null;
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Section
      title={`First steps: ${done} of ${steps.length} done`}
      actions={
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => {
            putAway(tenant.id);
            setHidden(true);
          }}
        >
          Hide
        </Button>
      }
    >
      <ol className={classes.steps}>
        {steps.map(({ title, isDone, children }, index) => (
          <li key={title} className={classes.step}>
            <details open={index === next}>
              <summary className={classes.title}>
                {isDone ? (
                  <IconCircleCheck className={classes.done} size={18} aria-label="Done" />
                ) : (
                  <IconCircleDashed className={classes.open} size={18} aria-label="To do" />
                )}
                {title}
              </summary>
              <div className={classes.content}>{children}</div>
            </details>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function toSteps({ devices, events, webhooks }: ProtectionStatus, tenantId: string): Step[] {
  return [
    {
      title: 'Enrol a device',
      isDone: devices.total > 0,
      scope: 'tokens:write',
      children: (
        <>
          <p>
            A device registers once with an enrolment secret. <PageLink to="/devices">Devices</PageLink>{' '}
            creates a secret and shows the command to copy. If you already have a secret, run:
          </p>
          <Snippet label="Commands that enrol a device" code={enrolCommands(tenantId)} />
        </>
      ),
    },
    {
      title: 'Watch its first event arrive',
      isDone: events.last_event_at !== null,
      scope: 'events:read',
      children: (
        <>
          <p>
            This records a made-up detection and sends it. <PageLink to="/events">Events</PageLink> shows it
            within a second.
          </p>
          <Snippet label="Command that sends an event" code={EVENT_COMMAND} />
        </>
      ),
    },
    {
      title: 'Push events to your systems',
      isDone: webhooks.registered > 0,
      scope: 'webhooks:write',
      children: (
        <>
          <p>
            A webhook receives signed events as they arrive. The command below registers one for high and
            critical severity. Register it under <PageLink to="/webhooks">Webhooks</PageLink>, or in a
            terminal. To read the feed instead, <PageLink to="/keys">create a key</PageLink>.
          </p>
          <Snippet label="Command that registers a webhook" code={webhookCommand()} />
        </>
      ),
    },
  ];
}

function enrolCommands(tenantId: string): string {
  return [
    `export TPS_URL=${API_URL} TPS_TENANT=${tenantId}`,
    "TPS_ENROLMENT_CREDENTIAL='svc_…' tps agent enrol --directory device --platform linux --name 'First device'",
  ].join('\n');
}

const EVENT_COMMAND =
  "tps events send --directory device --category phishing --confidence 0.97 --description 'A trial'";

function webhookCommand(): string {
  return `tps webhooks create --url https://example.com/hooks/tps --severity high,critical`;
}
