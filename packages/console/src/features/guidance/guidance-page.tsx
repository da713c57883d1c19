import { Group, SegmentedControl, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconEye, IconPhone, type IconProps } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { GuidanceCard } from '@tps/client';
import type { ComponentType } from 'react';
import { CopyButton, EmptyState, PageLayout, QueryState, toWords } from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import classes from './guidance-page.module.css';

const AUDIENCES: readonly GuidanceCard['audience'][] = ['user', 'analyst', 'admin'];
const AUDIENCE_WORDS: Readonly<Record<GuidanceCard['audience'], string>> = {
  user: 'People',
  analyst: 'Analysts',
  admin: 'Administrators',
};
const LOCALES: readonly GuidanceCard['locale'][] = ['en', 'de'];
const LOCALE_WORDS: Readonly<Record<GuidanceCard['locale'], string>> = { en: 'English', de: 'Deutsch' };

type Step = GuidanceCard['steps'][number];

const STEP_MARKS: Readonly<Record<Step['kind'], { mark: ComponentType<IconProps>; word: string }>> = {
  do: { mark: IconCircleCheck, word: 'Do' },
  dont: { mark: IconCircleX, word: 'Do not' },
  verify: { mark: IconEye, word: 'Check' },
  contact: { mark: IconPhone, word: 'Contact' },
};

export function GuidancePage() {
  const client = useClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>;
  const audience = AUDIENCES.find((one) => one === search.audience) ?? 'user';
  const locale = LOCALES.find((one) => one === search.locale) ?? 'en';
  const query = useQuery({
    queryKey: ['guidance', audience, locale],
    queryFn: ({ signal }) => client.guidance.list({ audience, locale, limit: 100, signal }).page(),
    // The cards come with the version of the service.
    staleTime: 3_600_000,
  });
  const set = (change: object) =>
    navigate({ to: '.', search: { ...search, ...change } as never, replace: true });
  return (
    <PageLayout
      title="Guidance"
      description="What to do about each kind of threat, ready to copy and send. Devices show the cards for people automatically."
      actions={
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Audience"
            value={audience}
            onChange={(value) => set({ audience: value })}
            data={AUDIENCES.map((value) => ({ value, label: AUDIENCE_WORDS[value] }))}
          />
          <SegmentedControl
            size="xs"
            aria-label="Language"
            value={locale}
            onChange={(value) => set({ locale: value })}
            data={LOCALES.map((value) => ({ value, label: LOCALE_WORDS[value] }))}
          />
        </Group>
      }
    >
      <QueryState query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="There is no guidance for this audience in this language." />
          ) : (
            <div className={classes.cards}>
              {data.map((card) => (
                <Card key={card.guidance_id} card={card} />
              ))}
            </div>
          )
        }
      </QueryState>
    </PageLayout>
  );
}

function Card({ card }: { readonly card: GuidanceCard }) {
  return (
    <article className={classes.card} lang={card.locale} aria-labelledby={card.guidance_id}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {toWords(card.threat_category)} · from {card.severity_min} severity
        </Text>
        <CopyButton value={toText(card)} label={`Copy as text: ${card.title}`} />
      </Group>
      <h2 className={classes.title} id={card.guidance_id}>
        {card.title}
      </h2>
      <p className={classes.summary}>{card.summary}</p>
      <ol className={classes.steps}>
        {card.steps.map((step) => (
          <StepLine key={step.order} step={step} />
        ))}
      </ol>
      <References references={card.references} />
    </article>
  );
}

function StepLine({ step }: { readonly step: Step }) {
  const { mark: Mark, word } = STEP_MARKS[step.kind];
  return (
    <li className={classes.step}>
      <span data-kind={step.kind} className={classes.mark} role="img" aria-label={word} title={word}>
        <Mark size={16} stroke={2} aria-hidden="true" />
      </span>
      <span>{step.text}</span>
    </li>
  );
}

function References({ references }: Pick<GuidanceCard, 'references'>) {
  const safe = references.filter(({ url }) => url.startsWith('https://'));
  if (safe.length === 0) return null;
  return (
    <ul className={classes.references}>
      {safe.map(({ title, url }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer noopener">
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The card as plain text, for a message to those concerned. */
function toText({ title, summary, steps, references }: GuidanceCard): string {
  const lines = steps.map(({ order, text }) => `${order}. ${text}`);
  const links = references.map((reference) => `${reference.title}: ${reference.url}`);
  return [title, '', summary, '', ...lines, ...(links.length > 0 ? ['', ...links] : [])].join('\n');
}
