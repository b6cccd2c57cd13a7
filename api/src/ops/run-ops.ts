import { CommanderError } from '@commander-js/extra-typings';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';
import { EnvError } from '#api/env.ts';
import { OpsError, UsageError, type Answer, type OpsContext, type OpsPlace } from './command.ts';
import { findFormerName } from './former-names.ts';
import { createProgram, HINT } from './program.ts';

/** Exit codes. */
export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

interface OpsIo {
  /** Opens what commands work with. Called only when the command line was parsed without errors. */
  open: () => Promise<OpsContext & { close: () => Promise<void> }>;
  place: () => OpsPlace;
  out: (text: string) => void;
  err: (text: string) => void;
}

/**
 * Runs a command line.
 * @returns the exit code
 */
export async function runOps(argv: readonly string[], { open, place, out, err }: OpsIo): Promise<number> {
  const [former, name] = findFormerName(argv) ?? [];
  if (former !== undefined) {
    err(`\`${former}\` is now \`${name}\`; nothing was changed.`);
    return EXIT.misused;
  }

  let exit: number = EXIT.done;
  const answer = ({ data, text, isBad = false }: Answer) => {
    out(program.opts().json ? JSON.stringify(data, null, 2) : text);
    if (isBad) exit = EXIT.failed;
  };
  const program = createProgram(
    {
      onSite: async (act) => answer(await actOn(open, act)),
      onPlace: (act) => answer(act(place())),
    },
    { out, err },
  );

  try {
    await program.parseAsync(argv.length === 0 ? ['help'] : argv, { from: 'user' });
    return exit;
  } catch (error) {
    return explain(error, err);
  }
}

async function actOn(open: OpsIo['open'], act: (context: OpsContext) => Promise<Answer>): Promise<Answer> {
  const context = await open();
  try {
    return await act(context);
  } finally {
    await context.close();
  }
}

/**
 * Prints why a command was not done, unless the parser has printed it.
 * @returns the exit code
 * @throws unexpected errors as they are
 */
function explain(error: unknown, err: OpsIo['err']): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
  const isMisuse = error instanceof UsageError;
  if (!(isMisuse || error instanceof OpsError || error instanceof EnvError || error instanceof DatabaseUnavailable))
    throw error;

  err(isMisuse ? `${error.message}\n${HINT}` : error.message);
  return isMisuse ? EXIT.misused : EXIT.failed;
}
