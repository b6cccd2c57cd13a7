import type { DataPlace } from '#api/foundation/db/backup.ts';
import { actOn } from './act-on.ts';
import type { OpsContext } from './command.ts';
import { EXIT, runCommandLine, type Output } from './command-line.ts';
import { findFormerName } from './commands/former-names.ts';
import { createProgram } from './program.ts';

interface OpsIo extends Output {
  /** Opens what commands work with. Called only when the command line was parsed without errors. */
  open: () => Promise<OpsContext & { close: () => Promise<void> }>;
  place: () => DataPlace;
}

/**
 * Runs a command line.
 * @returns the exit code
 */
export async function runOps(argv: readonly string[], { open, place, ...output }: OpsIo): Promise<number> {
  const [former, name] = findFormerName(argv) ?? [];
  if (former !== undefined) {
    output.err(`\`${former}\` is now \`${name}\`; nothing was changed.`);
    return EXIT.misused;
  }

  return runCommandLine(
    argv,
    (answer) =>
      createProgram(
        {
          onSite: async (act) => answer(await actOn(open, act)),
          onPlace: async (act) => {
            const { DATA_DIR, DATABASE_URL } = place();
            answer(await act({ DATA_DIR, DATABASE_URL, onSite: (use) => actOn(open, use) }));
          },
        },
        output,
      ),
    output,
  );
}
