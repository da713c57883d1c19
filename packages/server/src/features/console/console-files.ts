import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** How the build has compressed files, the better way first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;
const PAGE = 'index.html';

/** A file of the console, in the encoding that a browser accepts. */
export interface ConsoleFile {
  readonly type: string;
  readonly content: Buffer;
  readonly encoding: string | undefined;
  /** Whether its name contains a digest of its content, so that browsers can keep it. */
  readonly isImmutable: boolean;
}

/**
 * The built console. The list of files is read once, so a path either is in it or does not exist: no path leads out of the
 * folder. A file is read when it is first requested, and then kept.
 */
export class ConsoleFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #contents = new Map<string, Promise<Buffer>>();

  private constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    this.#names = new Set(names);
  }

  /** Lists the files of a folder. A folder that does not exist is a console that was not built. */
  static open(folder: string): ConsoleFiles {
    return new ConsoleFiles(folder, listFiles(folder));
  }

  /** Returns the page that every address of the console shows; undefined if the console was not built. */
  async page(): Promise<string | undefined> {
    return this.#names.has(PAGE) ? (await this.#read(PAGE)).toString('utf8') : undefined;
  }

  /** Finds a file by its path below the console, such as `assets/index-x.js`. */
  async find(name: string, acceptEncoding: string | undefined): Promise<ConsoleFile | undefined> {
    const type = TYPES[extname(name)];
    if (type === undefined || !this.#names.has(name)) return undefined;
    const encoding = ENCODINGS.find(
      (one) => accepts(acceptEncoding, one.name) && this.#names.has(`${name}${one.extension}`),
    );
    const content = await this.#read(`${name}${encoding?.extension ?? ''}`);
    return { type, content, encoding: encoding?.name, isImmutable: name.startsWith('assets/') };
  }

  #read(name: string): Promise<Buffer> {
    let content = this.#contents.get(name);
    if (!content) {
      content = readFile(join(this.#folder, name));
      // The next request tries again.
      content.catch(() => this.#contents.delete(name));
      this.#contents.set(name, content);
    }
    return content;
  }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll(sep, '/'),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** RFC 9110, section 12.5.3, for the names that we use: a weight of zero refuses. */
function accepts(header: string | undefined, name: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return coding === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
