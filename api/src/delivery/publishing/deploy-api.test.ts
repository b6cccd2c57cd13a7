import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../../../docs/deploy-api.md', import.meta.url)), 'utf8');
const COMMANDS = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command = '']) => command);

test('the commands of docs/deploy-api.md publish a release, open its canary at 10 %, and list it', async () => {
  const site = await createPublishFixture();
  const act = { by: 'ada', at: site.now() };
  const made = await createDeployToken({ db: site.db }, { unit: 'tools', label: 'CI', days: 1 }, act);
  const cwd = makeFolder();
  writeFiles(join(cwd, 'dist/tools/0.2.0'), makeRelease('tools', '0.2.0', { routes: [buildRoute('/portfolio')] }));
  const env = { ...process.env, SITE: site.origin, UNIT: 'tools', VERSION: '0.2.0', RELEASE_TOKEN: made?.token };
  const type = async (command: string): Promise<unknown> =>
    JSON.parse((await promisify(execFile)('sh', ['-c', command], { cwd, env })).stdout);

  const [publish = '', move = '', list = '', ...more] = COMMANDS;
  expect(more).toEqual([]);
  expect(await type(publish)).toMatchObject({ outcome: 'published', version: '0.2.0' });
  expect(await type(publish)).toMatchObject({ outcome: 'unchanged' });
  expect(await type(move)).toMatchObject({ channels: { stable: '0.1.0', canary: { version: '0.2.0', percent: 10 } } });
  expect(await type(list)).toMatchObject({
    units: expect.arrayContaining([
      expect.objectContaining({ unit: 'tools', canary: expect.anything() as unknown }),
    ]) as unknown,
  });
});
