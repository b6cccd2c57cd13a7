import { Command, Help, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { addAdvertiserCommands } from './advertiser-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBackupCommands } from './backup-commands.ts';
import type { Runners } from './command.ts';
import { addDeviceCommands } from './device-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLicenceCommands } from './licence-commands.ts';
import { addOrderCommands } from './order-commands.ts';
import { addResellerCommands } from './reseller-commands.ts';
import { addSalesCommands } from './sales-commands.ts';
import { addSigningKeyCommands } from './signing-key-commands.ts';

/** Printed after an error. */
export const HINT = 'npm run ops -- help lists the commands.';

const ABOUT =
  'What changes something is written into the audit with --by, or with the user of this machine.\n' +
  'Exit codes: 0 done, 1 not done or not as it should be, 2 wrongly typed.';

const defaultHelp = new Help();

/**
 * Creates the command line. Nothing runs before `parseAsync`.
 * @param write prints help, and errors of the command line
 */
export function createProgram(runners: Runners, write: { out: (text: string) => void; err: (text: string) => void }) {
  const program = new Command('npm run ops --')
    .description('What operators do.')
    .option('--json', 'the answer for machines')
    .exitOverride()
    .configureOutput({ writeOut: (text) => write.out(text.trimEnd()), writeErr: (text) => write.err(text.trimEnd()) })
    .configureHelp({
      showGlobalOptions: true,
      // The general help lists every command, and not only the groups.
      visibleCommands: (command) => (command.parent ? [...command.commands] : listLeaves(command)),
      subcommandTerm: (command) => `${groupOf(command)}${defaultHelp.subcommandTerm(command)}`,
    })
    .showHelpAfterError(HINT)
    .addHelpText('after', `\n${ABOUT}`);

  for (const add of [
    addDeviceCommands,
    addKeyCommands,
    addSigningKeyCommands,
    addAdvertiserCommands,
    addLicenceCommands,
    addOrderCommands,
    addResellerCommands,
    addSalesCommands,
    addAuditCommands,
    addBackupCommands,
  ])
    add(program, runners);
  return program;
}

function listLeaves(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listLeaves);
}

/** The group of a command: `device ` for `block`; empty for a command without a group. */
function groupOf({ parent }: CommandUnknownOpts): string {
  return parent?.parent ? `${parent.name()} ` : '';
}
