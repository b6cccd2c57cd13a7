import { inspect } from 'node:util';
import { Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { type Answer, UsageError } from './command.ts';
import { escapeControls } from './format.ts';

export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

/** Errors whose message is for the terminal, by their names: the tool of teams has no settings and no database. */
const EXPECTED_ERRORS = ['OpsError', 'EnvError', 'DatabaseUnavailable'];

/** Where a program writes. */
export interface Output {
  out: (text: string) => void;
  err: (text: string) => void;
}

interface ProgramTexts {
  /** How the program is typed, such as `npm run ops --`. */
  name: string;
  description: string;
  /** Printed after the list of all commands. */
  about: string;
}

const defaultHelp = new Help();

/** Printed after an error. */
const helpHint = (name: string) => `${name} help lists the commands.`;

/** Creates a command line without commands. Nothing runs before `parseAsync`. */
export function createCommandLine({ name, description, about }: ProgramTexts, { out, err }: Output) {
  return new Command(name)
    .description(description)
    .option('--json', 'print the answer as JSON')
    .option(
      '--env-file <file>',
      'read settings from a file, such as that of the service; the environment has precedence',
    )
    .on('option:env-file', loadEnvFile)
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) })
    .configureHelp({
      showGlobalOptions: true,
      // The general help lists every command, and not only the groups.
      visibleCommands: (command) => (command.parent ? [...command.commands] : listLeaves(command)),
      subcommandTerm: (command) => `${commandGroup(command)}${defaultHelp.subcommandTerm(command)}`,
    })
    .showHelpAfterError(helpHint(name))
    .addHelpText('after', `\n${about}`);
}

/**
 * Runs a command line. Without words it shows the help.
 * @param create creates the program, whose commands print their answers with `answer`
 * @returns the exit code
 */
export async function runCommandLine(
  argv: readonly string[],
  create: (answer: (answer: Answer) => void) => CommandUnknownOpts,
  { out, err }: Output,
): Promise<number> {
  let exit: number = EXIT.done;
  const program = create(({ data, text, isBad = false }) => {
    out(program.opts()['json'] === true ? JSON.stringify(data, null, 2) : text);
    if (isBad) exit = EXIT.failed;
  });

  try {
    await program.parseAsync(argv.length === 0 ? ['help'] : argv, { from: 'user' });
    return exit;
  } catch (error) {
    return printError(error, helpHint(program.name()), err);
  }
}

/** Prints why a command failed, unless the parser has printed it. Throws unexpected errors as they are. */
function printError(error: unknown, hint: string, err: Output['err']): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
  const isMisuse = error instanceof UsageError;
  if (!(isMisuse || isExpectedError(error))) throw error;

  err(isMisuse ? `${error.message}\n${hint}` : error.message);
  return isMisuse ? EXIT.misused : EXIT.failed;
}

function isExpectedError(error: unknown): error is Error {
  return error instanceof Error && EXPECTED_ERRORS.includes(error.name);
}

function loadEnvFile(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new UsageError(`--env-file: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function listLeaves(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listLeaves);
}

/** The group of a command: `device ` for `block`; empty for a command without a group. */
function commandGroup({ parent }: CommandUnknownOpts): string {
  return parent?.parent ? `${parent.name()} ` : '';
}

export async function runWithContext<Context extends { close: () => Promise<void> }, Result>(
  open: () => Promise<Context>,
  act: (context: Context) => Promise<Result>,
): Promise<Result> {
  const context = await open();
  try {
    return await act(context);
  } finally {
    await context.close();
  }
}

/**
 * Runs a program with the arguments of this process, and makes its exit code the one of the process.
 * @param run returns the exit code
 */
export function startProgram(run: (argv: readonly string[], output: Output) => Promise<number>): void {
  // New files are readable by this user alone.
  process.umask(0o077);

  // The reader of the output may have closed it, as `| head` does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(EXIT.failed));

  const say = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${escapeControls(text)}\n`);
  const output = { out: say(process.stdout), err: say(process.stderr) };
  run(process.argv.slice(2), output).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      output.err(isExpectedError(error) ? error.message : inspect(error));
      process.exitCode = EXIT.failed;
    },
  );
}
