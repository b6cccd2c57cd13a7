import { appIdSchema } from '@app/contracts/app-calls';
import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { Router } from 'express';
import * as v from 'valibot';
import { AppError } from '#api/foundation/http/app-error.ts';
import { formatWords, interstitialMessages } from '#api/foundation/http/interstitial.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import type { Site } from '#api/foundation/module.ts';
import { createAppsRepository, requireApp } from '#api/product/apps/apps.repository.ts';
import { DEVICE_CLAIM_CODES } from '#api/product/devices/device.ts';

const HOUR_MS = 60 * 60_000;

/** It names no device: calendars travel to other servers. */
const reminderQuerySchema = v.object({
  app: appIdSchema,
  ends: v.pipe(v.string(), v.regex(/^\d{13}$/), v.transform(Number)),
});

/** `/key-reminder` is a calendar file that tells an hour before a key ends. The calendars of phones open it from there. */
export function reminderRoutes({
  db,
  limiter,
  maxPerMinute,
  baseUrl,
  now,
}: Pick<Site, 'db' | 'limiter' | 'baseUrl' | 'now'> & { maxPerMinute: number }): Router {
  const router = Router();

  const limit = limiter.byAddress({ name: 'key-reminder', max: maxPerMinute });
  router.get('/key-reminder', limit, async (req, res) => {
    const { app: id, ends } = parse(reminderQuerySchema, req.query, DEVICE_CLAIM_CODES);
    await requireApp(db, id);
    const { name, keyTtlMs } = await createAppsRepository(db).get(id);
    if (ends < now() || ends > now() + keyTtlMs) throw new AppError('request.invalid', 'ends');
    const app = name ?? (id === 'companion' ? COMPANION.label : PRODUCT.label);
    const words = formatWords(res, interstitialMessages(res).keyReminder, { app });

    res
      .set({ 'cache-control': 'no-store', 'content-disposition': 'inline; filename="key.ics"' })
      .type('text/calendar; charset=utf-8')
      .send(writeReminder({ ...words, app: id, ends, at: now(), host: new URL(baseUrl()).host }));
  });
  router.all('/key-reminder', onlyRead);

  return router;
}

interface Reminder {
  app: string;
  title: string;
  text: string;
  /** When the key ends, in epoch milliseconds, as `at`. */
  ends: number;
  at: number;
  host: string;
}

/**
 * Writes an event of the last hour of a key, with an alarm at its start: a calendar that drops alarms reminds by its own
 * rule, which is before the start as well. Source: RFC 5545
 */
function writeReminder({ app, title, text, ends, at, host }: Reminder): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${host}//EN`,
    'BEGIN:VEVENT',
    `UID:${app}-${ends}@${host}`,
    `DTSTAMP:${formatTime(at)}`,
    `DTSTART:${formatTime(ends - HOUR_MS)}`,
    `DTEND:${formatTime(ends)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join('');
}

/** In UTC, such as `20261129T115600Z`. */
function formatTime(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`);
}

const MAX_LINE_BYTES = 75;

/** A longer line goes on in the next one, after a space. No letter is cut in two. */
function fold(line: string): string {
  let [folded, bytes] = ['', 0];
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    const isFull = bytes + size > MAX_LINE_BYTES;
    folded += isFull ? `\r\n ${letter}` : letter;
    bytes = isFull ? 1 + size : bytes + size;
  }
  return folded;
}
