import type { DataLocation } from '#api/foundation/db/backup.ts';
import { addAdvertiserCommands } from '#api/ops/commands/advertiser-commands.ts';
import { addAppCommands } from '#api/ops/commands/app-commands.ts';
import { addAuditCommands } from '#api/ops/commands/audit-commands.ts';
import { addBackupCommands } from '#api/ops/commands/backup-commands.ts';
import { addDeviceCommands } from '#api/ops/commands/device-commands.ts';
import { addKeyCommands } from '#api/ops/commands/key-commands.ts';
import { addLicenceCommands } from '#api/ops/commands/licence-commands.ts';
import { addMailCommands } from '#api/ops/commands/mail-commands.ts';
import { addOrderCommands } from '#api/ops/commands/order-commands.ts';
import { addResellerCommands } from '#api/ops/commands/reseller-commands.ts';
import { addSalesCommands } from '#api/ops/commands/sales-commands.ts';
import { addSigningKeyCommands } from '#api/ops/commands/signing-key-commands.ts';
import { addStatsCommands } from '#api/ops/commands/stats-commands.ts';
import { addWebhookCommands } from '#api/ops/commands/webhook-commands.ts';
import { runWithContext, createCommandLine, EXIT, type Output, runCommandLine } from './command-line.ts';
import type { OpsContext, Runners } from './command.ts';

interface OpsIo extends Output {
  /** Opens what commands work with. Called only when the command line was parsed without errors. */
  open: () => Promise<OpsContext & { close: () => Promise<void> }>;
  place: () => DataLocation;
}

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
          onSite: async (act) => answer(await runWithContext(open, act)),
          onLocation: async (act) => {
            const { DATA_DIR, DATABASE_URL } = place();
            answer(await act({ DATA_DIR, DATABASE_URL, onSite: (use) => runWithContext(open, use) }));
          },
        },
        output,
      ),
    output,
  );
}

/** Former names of commands, each with its new name. An operator who types a former one is told the new one. */
const FORMER_NAMES = {
  'key status': 'device status',
  'key block': 'device block',
  'key unblock': 'device unblock',
  'key export': 'device export',
  'key erase': 'device erase',
  'key keys': 'signing-key list',
  'key rotate': 'signing-key rotate',
  'key advertisers on': 'advertiser on',
  'key advertisers off': 'advertiser off',
  'key advertisers': 'advertiser list',
} as const;

/** Finds the former name with which a command line begins, and the new one; undefined for any other line. */
function findFormerName(argv: readonly string[]): [former: string, name: string] | undefined {
  const typed = `${argv.join(' ')} `;
  return Object.entries(FORMER_NAMES).find(([former]) => typed.startsWith(`${former} `));
}

const ABOUT =
  'Changes are recorded in the audit with --by, or with the user of this machine.\n' +
  'Exit codes: 0 done, 1 not done or not as it should be, 2 wrongly typed.';

function createProgram(runners: Runners, output: Output) {
  const program = createCommandLine(
    { name: 'npm run ops --', description: 'The commands of operators.', about: ABOUT },
    output,
  );

  for (const add of [
    addDeviceCommands,
    addKeyCommands,
    addSigningKeyCommands,
    addAdvertiserCommands,
    addAppCommands,
    addLicenceCommands,
    addOrderCommands,
    addResellerCommands,
    addMailCommands,
    addWebhookCommands,
    addSalesCommands,
    addStatsCommands,
    addAuditCommands,
    addBackupCommands,
  ])
    add(program, runners);
  return program;
}
