import { expect, test } from 'vitest';
import { openTerminal as open } from '#api/test/programs/open-terminal.ts';
import { HWID, passCaptcha, readState, walkStep } from '#api/test/product/visitor-steps.ts';

const BLOCK = ['device', 'block', HWID, '--reason', 'abuse'];

test.each([
  [['device', 'blok', HWID], "unknown command 'blok'\n(Did you mean block?)"],
  [['device', 'block', '--reason', 'abuse'], "missing required argument 'hwid'"],
  [['device', 'block', HWID], "required option '--reason <text>' not specified"],
  [['device', 'block', HWID, '--reason', ' '], 'It is one line of up to 200 characters.'],
  [['device', 'block', HWID, '--reason', 'a\nb'], 'It is one line of up to 200 characters.'],
  [[...BLOCK, 'more'], 'too many arguments'],
  [[...BLOCK, '--by', ''], "option '--by <name>' argument '' is invalid"],
  [[...BLOCK, '--for', '2 hours'], 'no number of minutes, hours or days'],
  [[...BLOCK, '--for', '2h', '--until', '2100-01-01'], "cannot be used with option '--for <duration>'"],
  [[...BLOCK, '--until', 'tomorrow'], 'It is no date such as'],
  [[...BLOCK, '--until', '40'], 'It is no date such as'],
  [[...BLOCK, '--until', '2099-02-31'], 'It is no date such as'],
  [[...BLOCK, '--until', '2001-01-01'], '--until lies in the past'],
  [[...BLOCK, '--app', 'V 5'], 'It is no id of an app'],
  [[...BLOCK, '--force'], "unknown option '--force'"],
  [['device', 'status', HWID, '--reason', 'abuse'], "unknown option '--reason'"],
  [['device', 'status', '<script/>'], 'A device id has 6 to 128 letters'],
  [['device', 'status', 'unknown'], 'is none that many devices send'],
  [['device'], 'Usage: npm run ops -- device'],
  [['advertiser', 'off', 'adfly'], 'Allowed choices are linkvertise, rinku, lootlabs, workink, sandbox.'],
  [['audit', 'tail', '--lines', '0'], 'It is no number from 1 to 9999.'],
])('%j is rejected and changes nothing: %s', async (argv, said) => {
  const { api, type } = await open();
  await passCaptcha(api);
  await walkStep(api);

  const { code, out, err } = await type(...argv);

  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(said);
  expect(err).toContain('npm run ops -- ');
  expect(await readState(api)).toMatchObject({ cooldown: null, run: { step: 2 } });
});

test.each(['', 'help', '--help'])('every command is listed by "%s"', async (line) => {
  const { type } = await open();

  const { code, out, err } = await type(...line.split(' ').filter(Boolean));

  expect({ code, err }).toEqual({ code: 0, err: '' });
  const groups = {
    device: 'status block unblock export erase',
    key: 'revoke',
    'signing-key': 'list rotate',
    advertiser: 'list on off',
    licence: 'show revoke issue codes revoke-codes',
    order: 'list show refund',
    'stats-token': 'create list revoke',
    reseller: 'list add edit order remove import export',
    audit: 'verify trust tail',
    mail: 'list send',
    webhook: 'add list log test resend remove',
  };
  const names = Object.entries(groups).flatMap(([group, ofGroup]) =>
    ofGroup.split(' ').map((name) => `${group} ${name}`),
  );
  for (const name of [...names, 'sales', 'runs', 'backup', 'restore']) expect(out).toContain(`\n  ${name} `);
  expect(out).toContain('Exit codes: 0 done');
});

test.each(['device block --help', 'device help block'])('"%s" prints the arguments of the command', async (line) => {
  const { type } = await open();

  const { code, out } = await type(...line.split(' '));

  expect(code).toBe(0);
  expect(out).toContain('Usage: npm run ops -- device block [options] <hwid>');
  for (const option of ['reason <text>', 'until <date>', 'for <duration>', 'app <app>', 'by <name>', 'json'])
    expect(out).toContain(`\n  --${option} `);
});

test.each([
  { line: `key status ${HWID}`, said: '`key status` is now `device status`' },
  { line: `key block ${HWID} --reason abuse`, said: '`key block` is now `device block`' },
  { line: 'key keys', said: '`key keys` is now `signing-key list`' },
  { line: 'key rotate', said: '`key rotate` is now `signing-key rotate`' },
  { line: 'key advertisers', said: '`key advertisers` is now `advertiser list`' },
  { line: 'key advertisers off workink', said: '`key advertisers off` is now `advertiser off`' },
])('a former command name is rejected with its new name: $line', async ({ line, said }) => {
  const { api, type } = await open();
  await passCaptcha(api);
  await walkStep(api);

  expect(await type(...line.split(' '))).toEqual({ code: 2, out: '', err: `${said}; nothing was changed.` });

  expect(await readState(api)).toMatchObject({
    cooldown: null,
    advertisers: expect.arrayContaining([{ id: 'workink', ok: true }]) as unknown,
  });
});
