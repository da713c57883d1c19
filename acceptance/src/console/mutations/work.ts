import type { Incident, Job } from '@tps/client';
import { TRIAGE_WORKFLOW } from '@tps/contract';
import type { Page } from 'playwright-core';
import {
  type ConsoleMutation,
  choose,
  dialogOf,
  type MutationSetting,
  named,
  orGone,
  press,
  reload,
  type,
} from './mutation.ts';

async function newView({ client }: MutationSetting, name: string): Promise<string> {
  return (await client.views.create({ name, page: 'audit', query: 'outcome=denied', shared: true })).view_id;
}

async function newJob({ client, newIncident }: MutationSetting): Promise<Job> {
  const job = await client.jobs.create({ workflow_id: TRIAGE_WORKFLOW, input_refs: [await newIncident()] });
  return client.jobs.waitFor(job.job_id, { pollMs: 20 });
}

const VIEWS: readonly ConsoleMutation[] = [
  {
    call: 'views.create',
    start: async ({ client }) => ({
      path: '/audit?outcome=denied&sort=',
      state: () => named(client.views.list(), 'Cut view'),
    }),
    fill: async (page) => {
      await press('Views')(page);
      await choose('Save as a new view…')(page);
      await type(page, 'Name', 'Cut view');
      await dialogOf(page).getByRole('checkbox', { name: 'Share with everyone' }).check();
    },
    send: press('Save'),
    states: [0, 1],
    shown: 'View saved',
  },
  {
    call: 'views.update (name)',
    start: async (setting) => {
      const id = await newView(setting, 'Old name');
      return {
        path: `/audit?view=${id}`,
        state: async () => (await setting.client.views.get(id)).name,
      };
    },
    fill: async (page) => {
      await press(/Old name/)(page);
      await choose('Rename…')(page);
      await type(page, 'Name', 'New name');
    },
    send: press('Rename'),
    states: ['Old name', 'New name'],
    shown: 'View renamed',
  },
  {
    call: 'views.update (sharing)',
    start: async (setting) => {
      const id = await newView(setting, 'To share');
      // A view that is no longer shared belongs to the person who changed it.
      return {
        path: `/audit?view=${id}`,
        state: () => orGone(setting.client.views.get(id).then(() => 'shared')),
      };
    },
    send: async (page) => {
      await press(/To share/)(page);
      await choose('Stop sharing')(page);
    },
    again: reload,
    states: ['shared', 'gone'],
    shown: (page) => page.getByRole('button', { name: /To share/ }),
  },
  {
    call: 'views.remove',
    start: async (setting) => {
      const id = await newView(setting, 'To delete');
      return {
        path: `/audit?view=${id}`,
        state: () => orGone(setting.client.views.get(id).then(() => 'there')),
      };
    },
    send: async (page) => {
      await press(/To delete/)(page);
      await choose('Delete for everyone')(page);
    },
    again: reload,
    states: ['there', 'gone'],
    shown: (page) => page.getByRole('button', { name: 'Views', exact: true }),
  },
];

/** A change of a new incident: what is sent, and what of the incident it changes. */
function ofIncident(
  call: string,
  parts: Pick<ConsoleMutation, 'fill' | 'send' | 'states' | 'shown'> & {
    read: (incident: Incident) => unknown;
  },
): ConsoleMutation {
  const { read, ...rest } = parts;
  return {
    call: `incidents.update (${call})`,
    start: async ({ client, newIncident }) => {
      const id = await newIncident();
      return { path: `/incidents/${id}`, state: async () => read(await client.incidents.get(id)) };
    },
    ...rest,
  };
}

const commentsOf = ({ timeline }: Incident) => timeline.flatMap(({ comment }) => comment ?? []);

const INCIDENTS: readonly ConsoleMutation[] = [
  ofIncident('comment', {
    fill: (page) => page.getByRole('textbox', { name: 'Comment' }).fill('Called the person'),
    send: press('Comment'),
    read: commentsOf,
    states: [[], ['Called the person']],
    shown: (page) => page.getByRole('list', { name: 'Timeline' }).getByText('Called the person'),
  }),
  ofIncident('status with a resolution and a comment', {
    fill: async (page) => {
      await press('Resolve…')(page);
      await dialogOf(page).getByRole('radio', { name: 'Duplicate' }).check();
      await type(page, 'Comment', 'Same as before');
    },
    send: press('Resolve'),
    read: (incident) => [incident.status, incident.resolution, ...commentsOf(incident)],
    states: [
      ['open', null],
      ['resolved', 'duplicate', 'Same as before'],
    ],
    shown: 'Incident changed',
  }),
  ofIncident('taking it', {
    send: press('Assign to me'),
    read: ({ status, assignee }) => [status, assignee !== null],
    states: [
      ['open', false],
      ['in_progress', true],
    ],
    shown: 'Incident changed',
  }),
  ofIncident('tags', {
    send: async (page) => {
      const again = page.getByRole('button', { name: 'Try again' });
      if (await again.isVisible()) return again.click();
      await page.getByLabel('Tags').first().fill('vip');
      await page.keyboard.press('Enter');
    },
    read: ({ tags }) => tags,
    states: [[], ['vip']],
    shown: (page) => page.getByText('vip', { exact: true }),
  }),
];

/** A decision about a job. */
function ofJob(
  call: string,
  parts: Pick<ConsoleMutation, 'fill' | 'send' | 'states' | 'shown'>,
): ConsoleMutation {
  return {
    call,
    start: async (setting) => {
      const { job_id: id } = await newJob(setting);
      const read = async () => {
        const { status, run_count: runs } = await setting.client.jobs.get(id);
        return status === 'queued' || status === 'running' ? [status] : [status, runs];
      };
      return { path: `/jobs/${id}`, state: read };
    },
    ...parts,
  };
}

const commented = (button: string) => async (page: Page) => {
  await press(button)(page);
  await type(page, 'Comment', 'Read it');
};

const JOBS: readonly ConsoleMutation[] = [
  {
    call: 'jobs.create',
    start: async ({ client, newIncident }) => {
      const id = await newIncident();
      const { data: before } = await client.jobs.list({ limit: 100 }).page();
      const state = async () => (await client.jobs.list({ limit: 100 }).page()).data.length - before.length;
      return { path: `/incidents/${id}`, state };
    },
    send: press('Start triage'),
    states: [0, 1],
    shown: 'Triage started',
  },
  ofJob('jobs.review (approve)', {
    fill: commented('Approve…'),
    send: press('Approve'),
    states: [
      ['waiting_review', 1],
      ['completed', 1],
    ],
    shown: 'approved: Read it',
  }),
  ofJob('jobs.review (amend)', {
    fill: async (page) => {
      await press('Amend…')(page);
      await type(page, 'Comment', 'Again');
    },
    send: press('Run again'),
    states: [
      ['waiting_review', 1],
      ['waiting_review', 2],
    ],
    shown: 'Run 2 of',
  }),
  ofJob('jobs.review (reject)', {
    fill: commented('Reject…'),
    send: press('Reject'),
    states: [
      ['waiting_review', 1],
      ['rejected', 1],
    ],
    shown: 'rejected: Read it',
  }),
  ofJob('jobs.cancel', {
    fill: commented('Cancel job…'),
    send: press('Cancel job'),
    states: [
      ['waiting_review', 1],
      ['cancelled', 1],
    ],
    shown: /cancelled: Read it/,
  }),
];

export const WORK = [...VIEWS, ...INCIDENTS, ...JOBS];
