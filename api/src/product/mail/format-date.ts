import { formatTexts } from '#api/foundation/http/format-texts.ts';

type MomentTexts = Record<'locale' | 'moment' | 'zone', string>;

const UTC = { timeZone: 'UTC', country: null };

/**
 * Writes a moment for the reader of a mail, with the time zone: `Saturday, 26 December 2026 at 15:05 (Germany, UTC+1)`.
 * @param country the country that the reader has paid in, as two letters. Of a reader in a country with several times of
 *   day, or in an unknown one, only UTC is certain.
 */
export function formatMoment(at: number, country: string | null, { locale, moment, zone }: MomentTexts): string {
  const place = findTimeZone(at, country);
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const where =
    place.country === null
      ? 'UTC'
      : formatTexts(
          zone,
          {
            country: withoutBreaks(new Intl.DisplayNames(locale, { type: 'region' }).of(place.country) ?? ''),
            offset: offsetOf(at, place.timeZone),
          },
          locale,
        );

  const day = formatDay(at, country, locale);
  return formatTexts(
    moment,
    { day, time: new Intl.DateTimeFormat(locale, { ...time, ...place }).format(at), zone: where },
    locale,
  );
}

/** A name whose words stay on one line. */
export function withoutBreaks(name: string): string {
  return name.replaceAll(' ', '\u00a0');
}

const WHOLE_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Writes the day of a moment, in the same time zone. */
export function formatDay(
  at: number,
  country: string | null,
  locale: string,
  parts: Intl.DateTimeFormatOptions = WHOLE_DAY,
): string {
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone: findTimeZone(at, country).timeZone }).format(at);
}

/** Its types do not know this method yet. */
interface Region extends Intl.Locale {
  getTimeZones: () => string[] | undefined;
}

/** The time zone of a whole country at a moment; UTC when its clocks differ. */
function findTimeZone(at: number, country: string | null): { timeZone: string; country: string | null } {
  if (country === null || !/^[A-Z]{2}$/.test(country)) return UTC;

  const zones = (new Intl.Locale('und', { region: country }) as Region).getTimeZones() ?? [];
  const [timeZone] = zones;
  const isOne = new Set(zones.map((zone) => offsetOf(at, zone))).size === 1;
  return timeZone !== undefined && isOne ? { timeZone, country } : UTC;
}

/** How far a time zone is from UTC at a moment, such as `UTC+1`. */
function offsetOf(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset.replace(/^GMT(?:[+-]0)?$/, 'UTC').replace('GMT', 'UTC');
}
