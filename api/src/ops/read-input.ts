import { APP_IDS, HWID_PATTERN, type AppId } from '@app/contracts/key-system';
import { UsageError, type Input, type OpsContext } from './command.ts';

const UNITS = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 } as const;

/** A line that is kept with what an operator did: short, and one. */
const NOTE = /^[^\p{Cc}]{1,200}$/u;

/** The device that a command is about. */
export function readHwid({ words: [hwid = ''] }: Input): string {
  if (!HWID_PATTERN.test(hwid))
    throw new UsageError(
      `${JSON.stringify(hwid)} cannot be a device id: 6 to 128 letters, digits, dots, colons, hyphens.`,
    );
  return hwid;
}

/** The app that a command is about; undefined where none was named. */
export function readApp({ options: { app } }: Input): AppId | undefined {
  if (app === undefined) return undefined;

  const id = APP_IDS.find((known) => known === app);
  if (!id) throw new UsageError(`--app is ${APP_IDS.join(' or ')}, not ${JSON.stringify(app)}.`);
  return id;
}

export function readReason({ options: { reason } }: Input): string {
  if (reason === undefined) throw new UsageError('--reason is needed: it is kept with what you do.');

  return readNote('--reason', reason);
}

/** Who answers for a change: the name given, or the machine's user. */
export function readAuthor({ options: { by } }: Input, { user }: OpsContext): string {
  return readNote('--by', by ?? user);
}

/** Until when, by a date or from now on; null for good. */
export function readUntil({ options: { until, for: duration } }: Input, at: number): number | null {
  if (until !== undefined && duration !== undefined)
    throw new UsageError('--until and --for say the same; give one of them.');
  if (duration !== undefined) return at + readDuration(duration);
  if (until === undefined) return null;

  const time = Date.parse(until);
  if (Number.isNaN(time))
    throw new UsageError(`--until is a date such as 2026-12-31 or 2026-12-31T18:00Z, not ${JSON.stringify(until)}.`);
  if (time <= at) throw new UsageError('--until lies in the past.');
  return time;
}

/** How many lines to show. */
export function readLines({ options: { lines = '20' } }: Input): number {
  if (!/^[1-9]\d{0,3}$/.test(lines))
    throw new UsageError(`--lines is a number from 1 to 9999, not ${JSON.stringify(lines)}.`);
  return Number(lines);
}

function readDuration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined)
    throw new UsageError(
      `--for is a number of minutes, hours or days such as 30m, 12h, 7d, not ${JSON.stringify(text)}.`,
    );

  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

function readNote(name: string, text: string): string {
  if (!NOTE.test(text.trim())) throw new UsageError(`${name} is one line of up to 200 characters.`);
  return text.trim();
}
