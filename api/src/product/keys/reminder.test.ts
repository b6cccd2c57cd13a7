import { COMPANION } from '@app/contracts/brand';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createTestApi } from '#api/test/create-test-api.ts';

const ENDS = Date.UTC(2026, 10, 30, 3, 24, 10);

const DAY_BEFORE = Date.UTC(2026, 10, 29, 4);

const readLines = async (answer: Response) => (await answer.text()).replaceAll('\r\n ', '').split('\r\n');

test('a reminder is a calendar event of the last hour of a key, with an alarm at its start', async () => {
  const api = await createTestApi({ startAt: DAY_BEFORE });
  const answer = await api.ask(`/api/key-reminder?app=main&ends=${ENDS}`);
  const { host } = new URL(api.origin);

  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('inline; filename="key.ics"');
  expect(await readLines(answer)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${host}//EN`,
    'BEGIN:VEVENT',
    `UID:main-${ENDS}@${host}`,
    'DTSTAMP:20261129T040000Z',
    'DTSTART:20261130T022410Z',
    'DTEND:20261130T032410Z',
    'SUMMARY:Your Arceus X key ends in an hour',
    'DESCRIPTION:Open Arceus X and tap Get Key for the next one.',
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Your Arceus X key ends in an hour',
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('a reminder names a registered app in the language of its visitor, in lines of at most 75 bytes', async () => {
  const api = await createTestApi({ startAt: DAY_BEFORE });
  const name = 'Một, hai; ba \\ công cụ viết script dài dài dài là dài, rồi lại dài thêm một đoạn nữa cho đủ ba dòng';
  await api.db
    .insertInto('app')
    .values({ id: 'tool', stepsPerSeries: 3, seriesRequired: 1, keyTtlMs: 86_400_000, name })
    .execute();

  const answer = await api.ask(`/api/key-reminder?app=tool&ends=${ENDS}`, { headers: { cookie: 'lang=vi' } });
  const text = await answer.text();
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const folded = /SUMMARY:.*(?:\r\n .*)*/.exec(text)?.[0].split('\r\n');
  expect(folded).toHaveLength(3);
  expect(text.replaceAll('\r\n ', '')).toContain(
    String.raw`SUMMARY:Key Một\, hai\; ba \\ công cụ viết script dài dài dài là dài\, rồi lại dài thêm một đoạn nữa cho đủ ba dòng còn 1 tiếng là hết`,
  );
});

test.each([
  ['app=main&ends=soon', 'request.invalid'],
  ['app=none&ends=1764473050000', 'KS_APP'],
  ['app=main&ends=17644730500000', 'request.invalid'],
  [`app=main&ends=${DAY_BEFORE - 1}`, 'request.invalid'],
  [`app=main&ends=${DAY_BEFORE + 24 * 60 * 60_000 + 1}`, 'request.invalid'],
])('a reminder for %s is refused with %s', async (query, code) => {
  const api = await createTestApi({ startAt: DAY_BEFORE });

  expect(await (await api.ask(`/api/key-reminder?${query}`)).json()).toMatchObject({ code });
});

test('a reminder of a key of the companion names it', async () => {
  const api = await createTestApi({ startAt: DAY_BEFORE });
  const answer = await api.ask(`/api/key-reminder?app=companion&ends=${ENDS}`);

  expect(await readLines(answer)).toContain(`SUMMARY:Your ${COMPANION.label} key ends in an hour`);
});

test('one address asks for as many reminders as its limit says', async () => {
  const perAddress = { ...DEFAULT_LIMITS.perAddress, reads: 2 };
  const api = await createTestApi({ startAt: DAY_BEFORE, limits: { ...DEFAULT_LIMITS, perAddress } });
  const statuses: number[] = [];
  for (let nth = 0; nth < 3; nth++) statuses.push((await api.ask(`/api/key-reminder?app=main&ends=${ENDS}`)).status);

  expect(statuses).toEqual([200, 200, 429]);
});
