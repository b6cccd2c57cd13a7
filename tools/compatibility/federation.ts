import { existsSync } from 'node:fs';
import { chromiumPath } from '../machine/browsers.ts';
import { runAndKeep } from '../machine/run.ts';
import { NotThere, readTable, runTable, type RunTool } from './run.ts';

const HEADING = 'Federation';
const HOSTS = 'dist/.peers/hosts/built';

/**
 * Runs the last command of each row, which fails when the tool does something else.
 * @param only see `runTable`
 * @returns whether none fails
 */
export function runFederation(only?: string): Promise<boolean> {
  const tools = readTable(HEADING).map(({ tool, does, beside }): [string, RunTool] => [
    tool,
    async () => {
      const command = /.*`([^`]+)`/.exec(beside)?.[1] ?? '';
      if (command.includes('launch.mjs') && !existsSync(HOSTS)) throw new NotThere('launch.mjs install-builders');
      const env = { ...process.env, CHROMIUM: chromiumPath() };
      const { isOk, lastLines } = await runAndKeep('bash', ['-c', command], { env });
      return { does: isOk ? does : lastLines.slice(-5).join(' ') };
    },
  ]);
  return runTable(HEADING, Object.fromEntries(tools), only);
}
