import { expect, test } from 'vitest';
import { openTerminal as open } from '#api/test/programs/open-terminal.ts';
import { HWID, passCaptcha, readState, walkStep } from '#api/test/product/visitor-steps.ts';

test.each([
  { argv: ['device', 'blok', HWID], said: "unknown command 'blok'\n(Did you mean block?)" },
  { argv: ['device', 'block', '--reason', 'abuse'], said: "missing required argument 'hwid'" },
  { argv: ['device', 'block', HWID, 'more', '--reason', 'abuse'], said: 'too many arguments' },
  { argv: ['device', 'block', HWID], said: "required option '--reason <text>' not specified" },
  { argv: ['device', 'block', HWID, '--reason', ' '], said: 'It is one line of up to 200 characters.' },
  { argv: ['device', 'block', HWID, '--reason', 'a\nb'], said: 'It is one line of up to 200 characters.' },
  {
    argv: ['device', 'block', HWID, '--reason', 'abuse', '--by', ''],
    said: "option '--by <name>' argument '' is invalid",
  },
  {
    argv: ['device', 'block', HWID, '--reason', 'abuse', '--for', '2 hours'],
    said: 'no number of minutes, hours or days',
  },
  {
    argv: ['device', 'block', HWID, '--reason', 'abuse', '--for', '2h', '--until', '2100-01-01'],
    said: "'--until <date>' cannot be used with option '--for <duration>'",
  },
  { argv: ['device', 'block', HWID, '--reason', 'abuse', '--until', 'tomorrow'], said: 'It is no date such as' },
  { argv: ['device', 'block', HWID, '--reason', 'abuse', '--until', '40'], said: 'It is no date such as' },
  { argv: ['device', 'block', HWID, '--reason', 'abuse', '--until', '2099-02-31'], said: 'It is no date such as' },
  { argv: ['device', 'block', HWID, '--reason', 'abuse', '--until', '2001-01-01'], said: '--until lies in the past' },
  { argv: ['device', 'block', HWID, '--reason', 'abuse', '--app', 'V 5'], said: 'It is no id of an app' },
  { argv: ['device', 'block', HWID, '--reason', 'abuse', '--force'], said: "unknown option '--force'" },
  { argv: ['device', 'status', HWID, '--reason', 'abuse'], said: "unknown option '--reason'" },
  { argv: ['device', 'status', '<script/>'], said: 'A device id has 6 to 128 letters' },
  { argv: ['device', 'status', 'unknown'], said: 'is none that many devices send' },
  { argv: ['device'], said: 'Usage: npm run ops -- device' },
  {
    argv: ['advertiser', 'off', 'adfly'],
    said: 'Allowed choices are linkvertise, rinku, lootlabs, workink, sandbox.',
  },
  { argv: ['audit', 'tail', '--lines', '0'], said: 'It is no number from 1 to 9999.' },
])('what makes no sense is refused: $said', async ({ argv, said }) => {
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
  for (const name of [
    'device status',
    'device block',
    'device unblock',
    'device export',
    'device erase',
    'key revoke',
    'signing-key list',
    'signing-key rotate',
    'advertiser list',
    'advertiser on',
    'advertiser off',
    'licence show',
    'licence revoke',
    'licence issue',
    'licence codes',
    'licence revoke-codes',
    'order list',
    'order show',
    'order refund',
    'sales',
    'runs',
    'stats-token create',
    'stats-token list',
    'stats-token revoke',
    'reseller list',
    'reseller add',
    'reseller edit',
    'reseller order',
    'reseller remove',
    'reseller import',
    'reseller export',
    'audit verify',
    'audit trust',
    'audit tail',
    'mail list',
    'mail send',
    'webhook add',
    'webhook list',
    'webhook log',
    'webhook test',
    'webhook resend',
    'webhook remove',
    'backup',
    'restore',
  ]) {
    expect(out).toContain(`\n  ${name} `);
  }
  expect(out).toContain('Exit codes: 0 done');
});

test.each(['device block --help', 'device help block'])('"%s" tells what the command takes', async (line) => {
  const { type } = await open();

  const { code, out } = await type(...line.split(' '));

  expect(code).toBe(0);
  expect(out).toContain('Usage: npm run ops -- device block [options] <hwid>');
  for (const option of [
    '--reason <text>',
    '--until <date>',
    '--for <duration>',
    '--app <app>',
    '--by <name>',
    '--json',
  ])
    expect(out).toContain(`\n  ${option} `);
});

test.each([
  { line: `key status ${HWID}`, said: '`key status` is now `device status`' },
  { line: `key block ${HWID} --reason abuse`, said: '`key block` is now `device block`' },
  { line: 'key keys', said: '`key keys` is now `signing-key list`' },
  { line: 'key rotate', said: '`key rotate` is now `signing-key rotate`' },
  { line: 'key advertisers', said: '`key advertisers` is now `advertiser list`' },
  { line: 'key advertisers off workink', said: '`key advertisers off` is now `advertiser off`' },
])('a former name changes nothing and is answered with the new one: $line', async ({ line, said }) => {
  const { api, type } = await open();
  await passCaptcha(api);
  await walkStep(api);

  expect(await type(...line.split(' '))).toEqual({ code: 2, out: '', err: `${said}; nothing was changed.` });

  expect(await readState(api)).toMatchObject({
    cooldown: null,
    advertisers: expect.arrayContaining([{ id: 'workink', ok: true }]) as unknown,
  });
});
