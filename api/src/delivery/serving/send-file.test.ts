import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { expect, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { sendFile } from './send-file.ts';

test('files are still sent when their root has moved to another disk, and a link replaces it', async () => {
  const home = makeFolder();
  const root = join(home, 'releases');
  mkdirSync(root);
  writeFileSync(join(root, 'a.js'), 'a');
  writeFileSync(join(home, 'secret.js'), 's');
  const app = express().use(async (req, res) => {
    if (!(await sendFile(req, res, { root, name: req.path.slice(1) }))) res.sendStatus(404);
  });
  const url = await listen(app);

  renameSync(root, join(home, 'moved'));
  symlinkSync(join(home, 'moved'), root);
  symlinkSync(join(home, 'secret.js'), join(home, 'moved/b.js'));
  expect(await (await fetch(`${url}/a.js`)).text()).toBe('a');
  expect((await fetch(`${url}/b.js`)).status).toBe(404);
});
