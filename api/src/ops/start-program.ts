import { inspect } from 'node:util';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { EnvError } from '#api/foundation/settings/env.ts';
import { EXIT, type Output } from './command-line.ts';

/**
 * Runs a program with the arguments of this process, and makes its exit code the one of the process.
 * @param run returns the exit code
 */
export function startProgram(run: (argv: readonly string[], output: Output) => Promise<number>): void {
  // New files are for their own user alone.
  process.umask(0o077);

  // The reader of the output may have closed it, as `| head` does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(EXIT.failed));

  const say = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`);
  const output = { out: say(process.stdout), err: say(process.stderr) };
  run(process.argv.slice(2), output).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      const isClear = error instanceof EnvError || error instanceof DatabaseUnavailable;
      output.err(isClear ? error.message : inspect(error));
      process.exitCode = EXIT.failed;
    },
  );
}
