import { inspect } from 'node:util';
import { parseEnv } from '#api/env.ts';
import { openOps } from './open-ops.ts';
import { EXIT } from './command-line.ts';
import { runOps } from './run-ops.ts';

// New files are for their own user alone.
process.umask(0o077);

// The reader of the output may have closed it, as `| head` does.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(EXIT.failed));

const say = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`);

runOps(process.argv.slice(2), {
  open: () => openOps(parseEnv(process.env)),
  place: () => parseEnv(process.env),
  out: say(process.stdout),
  err: say(process.stderr),
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`);
    process.exitCode = EXIT.failed;
  },
);
