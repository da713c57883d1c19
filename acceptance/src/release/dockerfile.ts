/** A line of a Dockerfile, with continuations joined. */
interface Instruction {
  readonly name: string;
  /** What follows the name, with variables replaced. */
  readonly text: string;
}

export interface Stage {
  /** From `AS`, or its number. */
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

const KNOWN = /^(?:ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|HEALTHCHECK|RUN|USER|VOLUME|WORKDIR)$/;

/** Reads the instructions that our Dockerfile has, stage by stage. @throws Error for any other */
export function readDockerfile(content: string, build: Readonly<Record<string, string>>): Stage[] {
  const lines = content
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+) +(.*)$/.exec(line) ?? [];
    const text = rest.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => build[variable] ?? '');
    if (name === 'FROM') {
      const [, base = '', alias = String(stages.length)] = /^(\S+)(?: AS (\S+))?$/.exec(text) ?? [];
      stages.push({ name: alias, base, instructions: [] });
    } else if (KNOWN.test(name)) {
      stages.at(-1)?.instructions.push({ name, text });
    } else {
      throw new Error(`This reader does not know the instruction in: ${line}`);
    }
  }
  return stages;
}

/** Returns the last value of an instruction in its exec form: a JSON array of words. */
export function readWords({ instructions }: Stage, name: string): string[] {
  const text = instructions.findLast((one) => one.name === name)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}
