import { advanceTime, serve } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { NOW, openPage, refuse } from '../test/page.ts';

const CODE = '0a1b2c-3d4e5f-6g7h8j-9k0m1n';
const REDEEMED = { plan: 'plus', until: NOW + 30 * 86_400_000, now: NOW };

// Its code comes when a code is sent.
beforeAll(async () => void (await import('./code-redeemed.tsx')));

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const button = () => screen.getByRole('button', { name: /Redeem|Checking/ });
const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);

function type(label: string, value: string) {
  fireEvent.change(field(label), { target: { value } });
}

function fillIn() {
  type('Code', CODE);
  type('Email address', ' ada@mail.example ');
  if (!field('Device ID').readOnly) type('Device ID', 'device-typed-1');
}

async function send() {
  fireEvent.submit(button());
  await advanceTime(0);
  // The code of the next page.
  await advanceTime(0);
}

test('a code is redeemed for the device in the address, which cannot be edited, and redirects to the success page', async () => {
  const asked = await openPage('/redeem?hwid=device-1&zone=z', { '/api/redeem': () => Response.json(REDEEMED) });
  expect(screen.getByText(/It puts a plan on one device: Basic, Plus or Premium/)).toBeDefined();
  expect([field('Device ID').value, field('Device ID').readOnly]).toEqual(['device-1', true]);
  fillIn();
  type('Code', ` ${CODE}\t`);
  await send();

  expect(asked.filter(({ path }) => path === '/api/redeem')).toEqual([
    {
      path: '/api/redeem',
      method: 'POST',
      body: JSON.stringify({ code: CODE, email: 'ada@mail.example', hwid: 'device-1' }),
    },
  ]);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Congratulations! Payment Successfull!');
  expect(window.location.pathname + window.location.search).toBe('/successV5?hwid=device-1&zone=z');
});

test('after a code the page shows the plan and its expiry by the clock of the device, and links into the app', async () => {
  const now = NOW + 10 * 60_000;
  await openPage('/redeem?hwid=device-1&zone=z', {
    '/api/redeem': () => Response.json({ ...REDEEMED, now, until: now + 30 * 86_400_000 }),
  });
  fillIn();
  await send();

  expect(screen.getByText('Your Plus plan is active until 22 December at 12:00.')).toBeDefined();
  const next = screen.getAllByRole('listitem').map(({ textContent, dataset }) => [textContent, dataset['is']]);
  expect(next).toEqual([
    ['Open the app, your plan’s on.', 'go'],
    ['No more steps while it runs.', 'fact'],
  ]);
  expect(screen.getByRole('link', { name: 'Launch' }).getAttribute('href')).toBe('roblox://');
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/download/v5/android');
  expect(window.location.href).not.toMatch(/plus|until/i);
});

test('a pasted code, device id and address are sent without formatting of a chat or a mail', async () => {
  const asked = await openPage('/redeem', { '/api/redeem': () => Response.json(REDEEMED) });
  fillIn();
  type('Code', `“\`${CODE.replaceAll('-', '\u2011\u200b')}\`”`);
  type('Email address', 'Lovelace, Ada <mailto:ada@mail.example> ');
  type('Device ID', '\u2068<device\u2011typed–1>\u2069');
  await send();

  expect(asked.at(-1)?.body).toBe(JSON.stringify({ code: CODE, email: 'ada@mail.example', hwid: 'device-typed-1' }));
});

test.each(['/redeem', '/redeem?hwid=%3Cscript%3E'])(
  'at %s the visitor enters the device, with advice where to find it',
  async (address) => {
    const asked = await openPage(address, { '/api/redeem': () => Response.json(REDEEMED) });
    expect(field('Device ID').value).toBe('');
    expect(screen.getByText('The app’s “Get Key” page shows it.')).toBeDefined();
    fillIn();
    await send();

    expect(asked.at(-1)?.body).toContain('"hwid":"device-typed-1"');
    expect(window.location.pathname).toBe('/successV5');
  },
);

test('invalid input is not sent: each field shows its error, and the first one has the focus', async () => {
  const asked = await openPage('/redeem', {});
  await send();

  expect(alerts()).toEqual([
    'Enter the code your reseller gave you.',
    'Please enter a valid email.',
    'Enter the whole ID. The app’s “Get Key” page shows it.',
  ]);
  for (const label of ['Code', 'Email address', 'Device ID'])
    expect(field(label).getAttribute('aria-invalid'), label).toBe('true');
  expect(document.activeElement).toBe(field('Code'));

  type('Code', 'x'.repeat(65));
  type('Device ID', 'device…1234');
  type('Email address', 'ada@mail.example');
  expect(alerts()).toEqual([]);
  await send();
  expect(alerts()).toHaveLength(2);
  expect(field('Email address').getAttribute('aria-invalid')).toBe('false');
  expect(asked.filter(({ path }) => path.startsWith('/api/'))).toEqual([]);
});

test.each([
  ['RDM_CODE', 404, 'Code', 'That code doesn’t work. Check for typos.'],
  ['RDM_USED', 409, 'Code', 'This code was already used. Not you? Ask your reseller.'],
  ['RDM_REVOKED', 410, 'Code', 'This code was cancelled. Ask the reseller who sold it.'],
  ['KS_HWID', 400, 'Device ID', 'Enter the whole ID. The app’s “Get Key” page shows it.'],
])('%s is reported at its field, and all input stays', async (code, status, label, words) => {
  await openPage('/redeem', { '/api/redeem': () => refuse(code, status) });
  fillIn();
  await send();

  expect(alerts()).toEqual([words]);
  expect(field(label).getAttribute('aria-invalid')).toBe('true');
  expect(field(label).getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
  expect(document.activeElement).toBe(field(label));
  expect([field('Code').value, field('Device ID').value]).toEqual([CODE, 'device-typed-1']);
  expect(button().getAttribute('aria-disabled')).toBe('false');

  type(label, 'another-value');
  expect(alerts()).toEqual([]);
});

test('a rate-limited visitor sees when to retry, and the code is not marked as invalid', async () => {
  await openPage('/redeem', { '/api/redeem': () => refuse('KS_LIMIT', 429, {}, { 'retry-after': '725' }) });
  fillIn();
  await send();

  expect(alerts()).toEqual(['Too many tries. Try again in 13 minutes, at 12:12.']);
  expect(field('Code').getAttribute('aria-invalid')).toBe('false');
});

test('an invalid request is reported without blaming one field', async () => {
  await openPage('/redeem', { '/api/redeem': () => refuse('request.invalid', 400) });
  fillIn();
  await send();

  expect(alerts()).toEqual(['We couldn’t read this form. Check every field.']);
});

test('while the code is checked the button is disabled', async () => {
  let answer: (response: Response) => void = () => undefined;
  const asked = await openPage('/redeem', {
    '/api/redeem': () => new Promise<Response>((resolve) => (answer = resolve)),
  });
  fillIn();
  await send();

  expect([button().getAttribute('aria-disabled'), button().textContent]).toEqual(['true', 'Checking the code...']);
  fireEvent.click(button());
  expect(asked.filter(({ path }) => path === '/api/redeem')).toHaveLength(1);
  answer(Response.json(REDEEMED));
  await advanceTime(0);
  expect(window.location.pathname).toBe('/successV5');
});

test.each([
  ['the server fails', () => refuse('server.unexpected', 500)],
  ['the server is busy', () => refuse('server.busy', 503)],
  ['no answer comes', () => Promise.reject(new TypeError('Failed to fetch'))],
])(
  'when %s, the form keeps its input and says that the code is not lost, and a retry succeeds',
  async (_why, answer) => {
    await openPage('/redeem', { '/api/redeem': answer });
    fillIn();
    await send();
    expect(screen.getByRole('alert').textContent).toBe('Can’t reach our server. Try again, your code isn’t lost.');
    expect([field('Code').value, field('Device ID').value]).toEqual([CODE, 'device-typed-1']);
    expect(window.location.pathname).toBe('/redeem');

    serve({ '/api/redeem': () => Response.json(REDEEMED) });
    await send();
    expect(window.location.pathname).toBe('/successV5');
  },
);

test('a late answer does not redirect a visitor who has left the page', async () => {
  let answer: (response: Response) => void = () => undefined;
  await openPage('/redeem', { '/api/redeem': () => new Promise<Response>((resolve) => (answer = resolve)) });
  fillIn();
  await send();
  fireEvent.click(screen.getByRole('link', { name: 'See the official resellers' }));
  await advanceTime(0);
  answer(Response.json(REDEEMED));
  await advanceTime(0);

  expect(window.location.pathname).toBe('/resellers');
  expect(screen.getByRole('link', { name: 'Redeem it' }).getAttribute('href')).toBe('/redeem');
});
