import type { Artifact, Client } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printDocument } from '../output/print.ts';
import { sanitizeText } from '../output/sanitize.ts';
import { toShortTime } from '../output/time.ts';
import type { Session } from '../session.ts';
import { type Call, openCall } from './api-command.ts';
import { AUDIT_COLUMNS } from './audit-columns.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';

const ARGUMENT = ['<job>', 'id of the job'] as const;

/** Adds the commands that read the steps, artifacts and audit of jobs. */
export function addJobResultCommands(jobs: Command, context: CommandContext): void {
  addSteps(jobs, context);
  addArtifacts(jobs, context);
  addText(jobs, context, {
    name: 'report',
    description: "print the triage report of a job's latest run",
    argument: ARGUMENT,
    lines: ['tps jobs report job_0123', 'tps jobs report job_0123 > report.md'],
    find: findReport,
  });
  addText(jobs, context, {
    name: 'artifact',
    description: 'print the content of one artifact',
    argument: ['<artifact>', 'id of the artifact'],
    lines: ['tps jobs artifact art_0123 > evidence.json'],
    find: (id, { client, tenant }) => client.artifacts.get(id, tenant),
  });
  addListCommand(jobs, context, {
    name: 'audit',
    description: 'list the audit entries of jobs, newest first',
    filters: [
      new Option('--action <action>', 'only entries of this action, such as job.review.approve'),
      new Option('--reviewed-by <token>', 'only reviews by this token'),
      new Option('--job <id>', 'only entries about this job'),
    ],
    list: (client, { job, ...query }: Parameters<Client['jobs']['audit']>[0] & { job?: string }) =>
      job === undefined ? client.jobs.audit(query) : client.jobs.auditOf(job, query),
    columns: AUDIT_COLUMNS,
    examples: ['tps jobs audit', 'tps jobs audit --job job_0123'],
  });
}

function addSteps(jobs: Command, context: CommandContext): void {
  addListCommand(jobs, context, {
    name: 'steps',
    description: 'list the steps of a job',
    argument: ARGUMENT,
    list: (client, query: Parameters<Client['jobs']['steps']>[1], id) => client.jobs.steps(id, query),
    columns: [
      { heading: 'RUN', of: (step) => String(step.run) },
      { heading: 'STEP', of: (step) => step.step_type },
      { heading: 'STATUS', of: (step) => step.status, isState: true },
      { heading: 'GUARDRAIL', of: (step) => step.guardrail_result },
      { heading: 'STARTED', of: (step) => toShortTime(step.started_at) },
      { heading: 'ERROR', of: (step) => step.error_code ?? '' },
    ],
    examples: ['tps jobs steps job_0123'],
  });
}

function addArtifacts(jobs: Command, context: CommandContext): void {
  addListCommand(jobs, context, {
    name: 'artifacts',
    description: 'list the artifacts of a job',
    argument: ARGUMENT,
    list: (client, query: Parameters<Client['jobs']['artifacts']>[1], id) => client.jobs.artifacts(id, query),
    columns: [
      { heading: 'ID', of: (artifact) => artifact.artifact_id },
      { heading: 'KIND', of: (artifact) => artifact.kind },
      { heading: 'TYPE', of: (artifact) => artifact.media_type },
      { heading: 'BYTES', of: (artifact) => String(artifact.size_bytes) },
      { heading: 'CREATED', of: (artifact) => toShortTime(artifact.created_at) },
    ],
    examples: ['tps jobs artifacts job_0123'],
  });
}

interface TextCommand {
  readonly name: string;
  readonly description: string;
  readonly argument: readonly [name: string, description: string];
  readonly lines: readonly string[];
  readonly find: (id: string, call: Call) => Promise<Artifact>;
}

function addText(
  jobs: Command,
  context: CommandContext,
  { name, description, argument, lines, find }: TextCommand,
): void {
  jobs
    .command(name)
    .description(description)
    .argument(...argument)
    .addHelpText('after', examples(...lines))
    .action(async (id: string, _options: object, command: Command) => {
      const call = await openCall(context, command);
      await printContent(call.session, await find(id, call));
    });
}

/** A file gets the exact bytes, so that their hash can be verified; a terminal gets sanitized text. */
async function printContent(session: Session, artifact: Artifact): Promise<void> {
  if (session.format !== 'table') return printDocument(session, artifact);
  const { stdout } = session.context;
  if (!stdout.isTerminal) return stdout.write(artifact.content);
  await stdout.write(`${sanitizeText(artifact.content).trimEnd()}\n`);
}

async function findReport(id: string, { client, tenant }: Call): Promise<Artifact> {
  let report: Artifact | undefined;
  for await (const artifact of client.jobs.artifacts(id, tenant)) {
    const isNewer = report === undefined || artifact.created_at > report.created_at;
    if (artifact.kind === 'triage_report' && isNewer) report = artifact;
  }
  if (report) return report;
  throw new CommandError(`The job ${id} has no report yet.`, { code: 'no_report', exitCode: EXIT.conflict });
}
