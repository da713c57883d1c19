import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkMessage } from './check-message.ts';

// main.ts --file FILE: the message in a file, as git's commit-msg hook passes it.
// main.ts --since BASE: the commits of HEAD that BASE does not have.
const [option, value = ''] = process.argv.slice(2);

function readMessages(): { name: string; message: string }[] {
  if (option === '--file' && value !== '') {
    return [{ name: 'commit message', message: readFileSync(value, 'utf8') }];
  }
  if (option === '--since' && value !== '') {
    const log = execFileSync('git', ['log', '-z', '--format=%h%n%B', `${value}..HEAD`], { encoding: 'utf8' });
    return log
      .split('\0')
      .filter((entry) => entry !== '')
      .map((entry) => {
        const end = entry.indexOf('\n');
        return { name: entry.slice(0, end), message: entry.slice(end + 1) };
      });
  }
  throw new Error('usage: main.ts --file FILE | --since BASE');
}

for (const { name, message } of readMessages()) {
  for (const problem of checkMessage(message)) {
    process.stderr.write(`${name}: ${problem}\n`);
    process.exitCode = 1;
  }
}
