import { expect, test } from 'vitest';
import { openTerminal as open } from '#api/test/programs/open-terminal.ts';
import { readState } from '#api/test/product/visitor-steps.ts';

const ADD = ['app', 'add', 'my-app', '--name', 'My App', '--steps', '3', '--advertisers', 'linkvertise, lootlabs'];

test('adding, changing and removing an app is recorded in the audit', async () => {
  const { api, say, type, listAudit } = await open();

  expect(await say(...ADD, '--scheme', 'my-app://key', '--colour', 'green', '--contact', 'mia@a.example')).toEqual([
    0,
    'Registered My App. Its runs begin at /apps/key-system-1?app=my-app&hwid=…&zone=…',
  ]);
  const { out } = await type('app', 'list');
  expect(out).toMatch(/^main +Arceus X +6 +as specified +of the site +\/key-system-1$/m);
  expect(out).toMatch(/^my-app +My App +3 +linkvertise, lootlabs +my-app:\/\/key +mia@a\.example /m);

  expect(await type('app', 'change', 'my-app', '--scheme', 'none', '--steps', '1')).toMatchObject({ code: 0 });
  expect(await readState(api, { app: 'my-app' })).toMatchObject({
    stepsRequired: 1,
    about: { name: 'My App', scheme: null, colour: 'green' },
  });
  expect(await say('app', 'remove', 'my-app', '--by', 'grace')).toEqual([0, 'Removed my-app.']);
  expect((await listAudit()).map(({ code, detail }) => `${code} ${detail}`)).toEqual([
    'added {"app":"my-app","by":"ada"}',
    'changed {"app":"my-app","by":"ada"}',
    'removed {"app":"my-app","by":"grace"}',
  ]);
});

test('webhook and token commands reject an unknown app', async () => {
  const { type, ask } = await open();
  const owning = [
    ['webhook', 'add', '--app', 'my-app', '--url', 'https://author.example/hook'],
    ['stats-token', 'create', 'my-app', '--for', 'Mia'],
  ];
  for (const command of owning) expect((await type(...command)).err).toContain('No app has the ');

  await type(...ADD);
  for (const command of owning) expect((await type(...command)).code).toBe(0);
  await type('app', 'remove', 'my-app');
  expect(await ask('webhook', 'list')).toEqual([]);
  expect(await ask('stats-token', 'list')).toEqual([]);
});

test.each([
  [[...ADD.slice(0, 2), 'main', ...ADD.slice(3)], 'The id main is an app of the site itself'],
  [['app', 'add', 'my-app', '--name', 'My App', '--steps', '3'], '--advertisers is missing.'],
  [[...ADD, '--colour', 'pink'], '--colour must be red, green, blue.'],
  [['app', 'change', 'my-app'], 'Nothing to change was given, such as --name.'],
])('the command %j is rejected', async (command, says) => {
  const { type } = await open();

  const { code, err } = await type(...command);
  expect(code).not.toBe(0);
  expect(err).toContain(says);
});

test.each([
  ['change', 'sandbox', '--name', 'Mine'],
  ['remove', 'companion'],
  ['remove', 'nobody'],
])('the command app %s %s changes nothing', async (...command) => {
  const { say } = await open();

  expect(await say('app', ...command)).toEqual([1, expect.stringContaining('nothing was changed') as string]);
});
