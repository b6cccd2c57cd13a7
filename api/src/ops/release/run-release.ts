import { setTimeout } from 'node:timers/promises';
import { runWithContext, createCommandLine, type Output, runCommandLine } from '#api/ops/command-line.ts';
import { UsageError, type Answer } from '#api/ops/command.ts';
import { addTokenCommands, addTrustCommands } from './access-commands.ts';
import { addChannelCommands } from './channel-commands.ts';
import type { Machine, Runners } from './command.ts';
import { addListCommands } from './list-commands.ts';
import { openLocalSite, addMachineCommands } from './machine-commands.ts';
import { addPublishCommands } from './publish-commands.ts';
import { openRemoteSite, type RetryOptions, readAddress, type AskForIdToken } from './remote-site.ts';

const ABOUT =
  'With --to it acts on that site, with the deploy token in RELEASE_TOKEN or as a trusted CI job; without --to on this machine, also beside\n' +
  'its server. Each publication and each change of a channel is recorded in the audit, with the label of the token or the user of this machine.\n' +
  '`npm run release -- new <unit>` makes a new remote in the working copy.\n' +
  'Exit codes: 0 done, 1 not done or not as it should be, 2 wrongly typed.';

interface ReleaseIo extends Output {
  /** Opens database and store of this machine. Called only for a command that needs them. */
  open: () => Promise<Machine & { close: () => Promise<void> }>;
  /** Reads the deploy token of the environment, or how to get an ID token, once the command line has named a file for it. */
  token: () => string | AskForIdToken | undefined;
  build: Runners['build'];
  wait?: RetryOptions['wait'];
  clock?: RetryOptions['clock'];
}

export async function runRelease(
  argv: readonly string[],
  {
    open,
    token,
    build,
    wait = (s) => setTimeout(s * 1000),
    clock = () => performance.now() / 1000,
    ...output
  }: ReleaseIo,
): Promise<number> {
  return runCommandLine(argv, (answer) => createProgram(answer, { open, token, build, wait, clock }, output), output);
}

function createProgram(
  answer: (answer: Answer) => void,
  { open, token, build, wait, clock }: Pick<ReleaseIo, 'open' | 'token' | 'build'> & Omit<RetryOptions, 'say'>,
  output: Output,
) {
  const program = createCommandLine(
    { name: 'npm run release --', description: 'What teams and operators do with releases.', about: ABOUT },
    output,
  ).option('--to <address>', 'the site, such as https://site.example (default: this machine)');

  const onMachine: Runners['onMachine'] = async (act) => {
    if (program.opts().to !== undefined)
      throw new UsageError('This works on the machine of the site only, without --to.');
    answer(await runWithContext(open, act));
  };
  const runners: Runners = {
    onMachine,
    outside() {
      const { to } = program.opts();
      return to === undefined || token() ? undefined : readAddress(to).origin;
    },
    answer,
    isRemote: () => program.opts().to !== undefined,
    async onSite(act) {
      const { to } = program.opts();
      if (to === undefined) await onMachine((machine) => act(openLocalSite(machine)));
      else answer(await act(openRemoteSite(to, token(), { say: output.err, wait, clock })));
    },
    build,
    say: output.err,
  };
  for (const add of [
    addPublishCommands,
    addChannelCommands,
    addListCommands,
    addMachineCommands,
    addTokenCommands,
    addTrustCommands,
  ])
    add(program, runners);
  return program;
}
