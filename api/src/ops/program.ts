import { addAdvertiserCommands } from './advertiser-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBackupCommands } from './backup-commands.ts';
import type { Runners } from './command.ts';
import { createCommandLine, type Output } from './command-line.ts';
import { addDeviceCommands } from './device-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLicenceCommands } from './licence-commands.ts';
import { addMailCommands } from './mail-commands.ts';
import { addOrderCommands } from './order-commands.ts';
import { addResellerCommands } from './reseller-commands.ts';
import { addSalesCommands } from './sales-commands.ts';
import { addSigningKeyCommands } from './signing-key-commands.ts';

const ABOUT =
  'What changes something is written into the audit with --by, or with the user of this machine.\n' +
  'Exit codes: 0 done, 1 not done or not as it should be, 2 wrongly typed.';

/** Creates the operators' command line. */
export function createProgram(runners: Runners, output: Output) {
  const program = createCommandLine(
    { name: 'npm run ops --', description: 'What operators do.', about: ABOUT },
    output,
  );

  for (const add of [
    addDeviceCommands,
    addKeyCommands,
    addSigningKeyCommands,
    addAdvertiserCommands,
    addLicenceCommands,
    addOrderCommands,
    addResellerCommands,
    addMailCommands,
    addSalesCommands,
    addAuditCommands,
    addBackupCommands,
  ])
    add(program, runners);
  return program;
}
