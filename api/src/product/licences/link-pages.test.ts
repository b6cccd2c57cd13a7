import { expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createTestApi, OWN_NAVIGATION } from '#api/test/create-test-api.ts';
import { sendEncodedVariant } from '#api/test/send-form.ts';
import {
  askForClaim,
  askForReset,
  EMAIL,
  LAPTOP,
  listBound,
  openWithLicence,
  PHONE,
  readToken,
} from '#api/test/product/link-steps.ts';

const OTHER = 'another-device-of-the-owner';

const linkOf = (page: string, token: string) => `https://site.example${page}#t=${token}`;

describeEachDatabase('mail links without JavaScript', (db) => {
  test('a reset is requested, its link is pasted, and only the button of the confirmation page resets', async () => {
    const api = await openWithLicence(db());
    const asked = await sendEncodedVariant(api, '/api/requestresetdevices', { email: ` ${EMAIL} ` });
    expect(asked.status).toBe(200);
    expect(await asked.text()).toContain('Success: device reset requested. Check your inbox.');
    const token = await readToken(api);

    const page = await (
      await sendEncodedVariant(api, '/api/reset-details', { token: ` “${linkOf('/reset-devices', token)}” ` })
    ).text();
    expect(page).toContain('<h1>Remove 2 devices?</h1>');
    expect(page).toContain('You keep Plus, until ');
    expect(page).toContain(
      `<form method="post" action="/api/confirmresetdevices"><input type="hidden" name="token" value="${token}">`,
    );
    expect(await listBound(db())).toHaveLength(2);

    const done = await sendEncodedVariant(api, '/api/confirmresetdevices', { token });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/resetsuccessV5']);
    expect(await listBound(db())).toHaveLength(0);

    const again = await sendEncodedVariant(api, '/api/confirmresetdevices', { token });
    expect(again.status).toBe(410);
    expect(await again.text()).toContain('This link doesn’t work anymore');
  });

  test('a plan without devices cannot be reset', async () => {
    const api = await openWithLicence(db(), []);

    const page = await (await sendEncodedVariant(api, '/api/reset-details', { token: await askForReset(api) })).text();

    expect(page).toContain('<h1>Your plan isn’t on any device</h1>');
    expect(page).not.toContain('<form');
  });

  test('a second reset is rejected as too early before its button is shown', async () => {
    const api = await openWithLicence(db());
    await sendEncodedVariant(api, '/api/confirmresetdevices', { token: await askForReset(api) });

    const page = await (await sendEncodedVariant(api, '/api/reset-details', { token: await askForReset(api) })).text();

    expect(page).toContain('<h1>You can reset again on ');
    expect(page).not.toContain('<form');
  });

  test('a device is added by a pasted link, and the page shows the device first', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const token = await askForClaim(api, LAPTOP);
    const wrapped = `https://safe.example/?url=${encodeURIComponent(linkOf('/claim-plan', token))}`;

    const page = await (await sendEncodedVariant(api, '/api/claim-details', { token: wrapped })).text();
    expect(page).toContain('<h1>Add this device?</h1>');
    expect(page).toContain('Device laptop-o…wner, to Plus, until ');
    expect(page).toContain('Only go on if this is your own phone.');
    expect(await listBound(db())).toHaveLength(1);

    const done = await sendEncodedVariant(api, '/api/confirm-claim', { token });
    expect(await done.text()).toContain('<h1>Your plan is on this device</h1>');
    expect(await listBound(db())).toHaveLength(2);

    const another = await askForClaim(api, LAPTOP);
    const again = await (await sendEncodedVariant(api, '/api/claim-details', { token: another })).text();
    expect(again).toContain('<h1>Your plan is on this device</h1>');
    expect(again).not.toContain('action="/api/confirm-claim"');
  });

  test('a device link is requested on the page of the plans of that device and reveals nothing about the plan', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const ask = (email: string) =>
      sendEncodedVariant(api, '/api/claim-plan', { email }, { referer: `${api.origin}/plans?hwid=${LAPTOP}&zone=z` });

    for (const email of ['eve@example.com', EMAIL]) {
      const page = await (await ask(email)).text();
      expect(page).toContain('If this address has a plan, an email with a link is on its way.');
    }
    await expect.poll(() => readToken(api)).not.toBe('');
    const page = await (await sendEncodedVariant(api, '/api/claim-details', { token: await readToken(api) })).text();
    expect(page).toContain('Device laptop-o…wner');

    const refused = await (await ask('no address')).text();
    for (const value of ['no address', LAPTOP]) expect(refused).toContain(`value="${value}"`);
  });

  test('a device that was typed takes precedence over the device of the page', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const referer = `${api.origin}/plans?hwid=${LAPTOP}&zone=z`;

    await sendEncodedVariant(api, '/api/claim-plan', { email: EMAIL, hwid: OTHER }, { referer });
    await expect.poll(() => readToken(api)).not.toBe('');
    const page = await (await sendEncodedVariant(api, '/api/claim-details', { token: await readToken(api) })).text();
    expect(page).toContain('Device another-…wner');
  });

  test('a plan without a free slot shows the reason and links to the reset', async () => {
    const api = await openWithLicence(db());
    const token = await askForClaim(api, LAPTOP);

    const page = await (await sendEncodedVariant(api, '/api/claim-details', { token })).text();
    expect(page).toContain('<h1>Every slot is taken</h1>');
    expect(page).toContain('href="/v5#reset"');

    const refused = await sendEncodedVariant(api, '/api/confirm-claim', { token });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('Reset your devices first');
  });
});

test('each link form is a page of its own and is filled with the device of the referring page', async () => {
  const api = await createTestApi();
  const read = async (path: string) =>
    (await api.visit(path, { ...OWN_NAVIGATION, referer: `${api.origin}/plans?hwid=${LAPTOP}&zone=z` })).text();

  for (const path of ['/api/reset-details', '/api/claim-details'])
    expect(await read(path)).toContain(
      `<form method="post" action="${path}"><label>The link in our email<input name="token" value=""`,
    );
  const claim = await read('/api/claim-plan');
  expect(claim).toContain(
    '<form method="post" action="/api/claim-plan"><label>Email address<input name="email" value=""',
  );
  expect(claim).toContain(`<input name="hwid" value="${LAPTOP}"`);
});

test('an unreadable reset form answers with the page of the form', async () => {
  const api = await createTestApi();
  const res = await sendEncodedVariant(api, '/api/requestresetdevices', { email: 'x'.repeat(9000) });

  expect(res.status).toBe(400);
  expect(res.headers.get('content-type')).toContain('text/html');
  expect(await res.text()).toContain('<form method="post" action="/api/requestresetdevices"');
});

test('an invalid mail address gets the message of the specification', async () => {
  const api = await createTestApi();

  const res = await sendEncodedVariant(api, '/api/requestresetdevices', { email: 'eve' });
  expect(res.status).toBe(400);
  expect(await res.text()).toContain('Please enter a valid email.');
});

test('a mail address without a plan gets the message of the specification and the form again', async () => {
  const api = await createTestApi();

  const res = await sendEncodedVariant(api, '/api/requestresetdevices', { email: 'eve@example.com' });
  const page = await res.text();

  expect(res.status).toBe(404);
  expect(page).toContain('Error: could not reset devices. No active subscriptions or licenses.');
  expect(page).toContain('<label>Email address<input name="email" value="eve@example.com"');
});

test('with strict privacy a form does not reveal who is a customer', async () => {
  const api = await createTestApi({ resetPrivacy: 'strict' });

  const res = await sendEncodedVariant(api, '/api/requestresetdevices', { email: 'eve@example.com' });

  expect(res.status).toBe(200);
  expect(await res.text()).toContain('<h1>Check your inbox</h1>');
});

test('forms have the same rate limits as API requests', async () => {
  const api = await createTestApi();
  const send = () => sendEncodedVariant(api, '/api/requestresetdevices', { email: 'eve@example.com' });
  for (let sent = 0; sent < 3; sent++) await send();

  const refused = await send();

  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain('Error: could not reset devices. Try again later.');
});
