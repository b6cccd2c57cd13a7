import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { luaPaths } from '../machine/interpreters.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BIN = join(ROOT, 'node_modules/.bin');

const folder = mkdtempSync(join(tmpdir(), 'packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An app that has a key of the vectors, and nobody to ask. */
const APP = `
import { readFileSync } from 'node:fs';
import { KeyClient } from 'key-system-client';
import { verifyKey } from 'key-system-client/verify-key';
const { common } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const clock = () => common.now;
const client = new KeyClient({ ...common, site: 'http://127.0.0.1:9', zone: 'z', clock });
console.log((await verifyKey(common)).code, (await client.open(common.key, () => console.log('opened'))).code);
`;

test('the npm package packs, and an app that installs it verifies a key', () => {
  const source = join(folder, 'source');
  cpSync(join(ROOT, 'samples/typescript'), source, { recursive: true });
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env['PATH'] ?? ''}` };
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source, env });

  const installed = join(folder, 'app/node_modules/key-system-client');
  mkdirSync(installed, { recursive: true });
  const archive = join(folder, 'key-system-client-1.0.0.tgz');
  execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', installed]);
  const files = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n').sort();
  expect(files.map((file) => file.replace('package/', ''))).toEqual([
    'README.md',
    'dist/key-client.d.ts',
    'dist/key-client.js',
    'dist/verify-key.d.mts',
    'dist/verify-key.mjs',
    'package.json',
  ]);

  const app = join(folder, 'app/app.mjs');
  writeFileSync(app, APP);
  const vectors = join(ROOT, 'samples/vectors/vectors.json');
  expect(execFileSync(process.execPath, [app, vectors], { encoding: 'utf8' })).toBe('opened\nVALID VALID\n');
}, 60_000);

test('every module of the rockspec loads in each Lua', () => {
  const lua = join(ROOT, 'samples/lua/');
  const rockspec = 'key-system-client-1.0.0-1.rockspec';
  const program = `
    local modules, names = package.preload, {}
    dofile("${lua}${rockspec}")
    for name, file in pairs(build.modules) do
      modules[name] = assert(loadfile("${lua}" .. file))
      assert(type(require(name)) == "table")
      table.insert(names, file)
    end
    table.sort(names)
    print(package and version, table.concat(names, " "))`;

  for (const interpreter of luaPaths()) {
    const told = execFileSync(interpreter, ['-e', program], { encoding: 'utf8' });
    expect(told.trim(), interpreter).toBe('1.0.0-1\tkey-client.lua verify-key.lua');
  }
  expect(readFileSync(join(lua, rockspec), 'utf8')).toContain('"lua >= 5.1, < 5.5"');
});

test.each(['go', 'java', 'kotlin', 'python', 'typescript'])(
  'the README of %s names every reason of onWaiting',
  (language) => {
    const told = (file: string) => readFileSync(join(ROOT, 'samples', file), 'utf8');
    const [, reasons = ''] = /from `onWaiting`: (.*) \|/.exec(told('test-protocol.md')) ?? [];

    expect(reasons.split(', ')).toHaveLength(5);
    for (const reason of reasons.split(', ')) expect(told(`${language}/README.md`)).toContain(`\`${reason}\``);
  },
);
