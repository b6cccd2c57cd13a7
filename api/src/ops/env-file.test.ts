import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildProgram } from '#api/test/programs/build-program.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { makePlace, makeSecrets, startSite } from '#api/test/programs/rehearsed-site.ts';

const runFile = promisify(execFile);

/** The programs of operators, with a command that needs the settings of the site. */
const COMMANDS = [
  { program: 'ops/main.ts', words: ['audit', 'verify'], says: /^Rows 1 to/ },
  { program: 'ops/release/main.ts', words: ['list'], says: /key-system/ },
];

test.each(COMMANDS)(
  '$program reads its settings from the env file of the service, wherever the file is',
  async (each) => {
    const settings = { ...makeSecrets(), ...(await makePlace(undefined)) };
    const { anchor } = await startSite(settings);
    await anchor();
    const file = join(makeFolder(), 'site.env');
    const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
    writeFileSync(file, `# A comment\n${lines.join('')}`);
    const program = await buildProgram(each.program);
    const elsewhere = { cwd: makeFolder(), env: { PATH: process.env['PATH'] } };
    const type = (...words: string[]) => runFile(process.execPath, [program, ...words], elsewhere);

    await expect(type(...each.words)).rejects.toMatchObject({ code: 1 });
    expect((await type('--env-file', file, ...each.words)).stdout).toMatch(each.says);
    expect((await type(...each.words, `--env-file=${file}`)).stdout).toMatch(each.says);
  },
);

test.each(COMMANDS)('$program starts without loading Express', async ({ program }) => {
  expect(readFileSync(await buildProgram(program), 'utf8')).not.toMatch(/["']express["']/);
});
