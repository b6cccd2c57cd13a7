import { parseArgs } from 'node:util';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';
import { EnvError } from '#api/env.ts';
import {
  OpsError,
  OPTIONS,
  UsageError,
  type Answer,
  type Command,
  type Input,
  type OpsContext,
  type OpsPlace,
  type OptionName,
} from './command.ts';
import { COMMANDS } from './commands.ts';

/** How a command ended, for whoever started it. */
export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

/** Options that every command takes. */
const COMMON = ['json', 'help'] as const;

interface OpsIo {
  /** Opens what commands work on; asked only once the command line is known to make sense. */
  open: () => Promise<OpsContext & { close: () => Promise<void> }>;
  place: () => OpsPlace;
  out: (text: string) => void;
  err: (text: string) => void;
}

/** Does what the command line says and gives the exit code. */
export async function runOps(argv: readonly string[], { open, place, out, err }: OpsIo): Promise<number> {
  try {
    const typed = parse(argv);
    if (typed === 'help') {
      out(describeAll());
      return EXIT.done;
    }

    const { data, text, isBad = false } = await runWithin({ open, place }, typed);
    out(typed.input.options.json ? JSON.stringify(data, null, 2) : text);
    return isBad ? EXIT.failed : EXIT.done;
  } catch (error) {
    if (error instanceof UsageError) {
      err(`${error.message}\nnpm run ops -- help lists the commands.`);
      return EXIT.misused;
    }
    if (!(error instanceof OpsError || error instanceof EnvError || error instanceof DatabaseUnavailable)) throw error;
    err(error.message);
    return EXIT.failed;
  }
}

async function runWithin({ open, place }: Pick<OpsIo, 'open' | 'place'>, { command, input }: Typed): Promise<Answer> {
  if ('runOffline' in command) return command.runOffline(place(), input);

  const context = await open();
  try {
    return await command.run(context, input);
  } finally {
    await context.close();
  }
}

interface Typed {
  command: Command;
  input: Input;
}

function parse(argv: readonly string[]): Typed | 'help' {
  const { positionals, values } = split(argv);
  if (values.help || positionals.length === 0 || positionals[0] === 'help') return 'help';

  const command = COMMANDS.find(({ usage }) => namePart(usage).every((word, index) => positionals[index] === word));
  if (!command) throw new UsageError(`There is no command ${JSON.stringify(positionals.slice(0, 2).join(' '))}.`);

  const words = positionals.slice(namePart(command.usage).length);
  const wanted = command.usage.split(' ').filter(isPlaceholder);
  const least = wanted.filter((word) => word.startsWith('<')).length;
  if (words.length < least || words.length > wanted.length) throw new UsageError(`Usage: ${synopsis(command)}`);

  const strange = Object.keys(values).find((name) => ![...command.options, ...COMMON].some((known) => known === name));
  if (strange !== undefined) throw new UsageError(`${namePart(command.usage).join(' ')} does not take --${strange}.`);

  return { command, input: { words, options: values } };
}

function split(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

function namePart(usage: string): string[] {
  return usage.split(' ').filter((word) => !isPlaceholder(word));
}

/** `<kid>` has to be there, `[<thumbprint>]` may be. */
function isPlaceholder(word: string): boolean {
  return /^[<[]/.test(word);
}

/** What stands for an option's value where a command is described. */
const PLACEHOLDERS: Partial<Record<OptionName, string>> = {
  app: 'main|companion',
  reason: '<text>',
  until: '<date>',
  for: '<30m|12h|7d>',
  by: '<name>',
  lines: '<number>',
  anchor: '<jws>',
};

function synopsis({ usage, options }: Command): string {
  const taken = options.map((name) => `--${name} ${PLACEHOLDERS[name] ?? ''}`.trimEnd());
  return [usage, ...taken.map((option) => (option.startsWith('--reason') ? option : `[${option}]`))].join(' ');
}

function describeAll(): string {
  const commands = COMMANDS.map((command) => `  ${synopsis(command)}\n      ${command.says}`);

  return [
    'npm run ops -- <command>',
    '',
    ...commands,
    '',
    'Every command takes --json. What changes something is written into the audit with --by, or with the user of this machine.',
    'Exit codes: 0 done, 1 not done or not as it should be, 2 wrongly typed.',
  ].join('\n');
}
