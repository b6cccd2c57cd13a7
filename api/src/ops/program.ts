import { addAdvertiserCommands } from './commands/advertiser-commands.ts';
import { addAuditCommands } from './commands/audit-commands.ts';
import { addBackupCommands } from './commands/backup-commands.ts';
import type { Runners } from './command.ts';
import { createCommandLine, type Output } from './command-line.ts';
import { addDeviceCommands } from './commands/device-commands.ts';
import { addKeyCommands } from './commands/key-commands.ts';
import { addLicenceCommands } from './commands/licence-commands.ts';
import { addMailCommands } from './commands/mail-commands.ts';
import { addOrderCommands } from './commands/order-commands.ts';
import { addResellerCommands } from './commands/reseller-commands.ts';
import { addSalesCommands } from './commands/sales-commands.ts';
import { addSigningKeyCommands } from './commands/signing-key-commands.ts';

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
