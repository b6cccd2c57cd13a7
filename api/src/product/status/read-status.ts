import { ADVERTISER_IDS } from '@app/contracts/advertisers';
import { SANDBOX } from '@app/contracts/key-system';
import type { SiteStatus } from '@app/contracts/status-schemas';
import { DAY_MS, utcDay } from '#api/foundation/audit/anchor.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import type { AdvertisersService } from '#api/product/advertisers/advertisers.service.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createCountsRepository } from '#api/product/stats/counts.repository.ts';
import { firstDay } from '#api/product/stats/read-stats.ts';
import { DAY_MINUTES, minuteOfDay } from './record-uptime.ts';
import { createUptimeRepository } from './uptime.repository.ts';

const DAYS = 90;

/** Reads how the site is doing. What this server alone knows of an advertiser, `present` adds. */
export async function readStatus(
  { db, advertisers }: { db: Db; advertisers: Pick<AdvertisersService, 'present'> },
  at: number,
): Promise<SiteStatus> {
  const [uptime, yesterday] = [createUptimeRepository(db), utcDay(at - DAY_MS)];
  const [rows, keys, app, terms] = await Promise.all([
    uptime.list(firstDay(DAYS, at)),
    createCountsRepository(db).readKeys({ since: yesterday, appId: undefined }),
    createAppsRepository(db).find('main'),
    createAdvertisersRepository(db).list(),
  ]);
  // A server whose clock was wrong may have noted days of its own: only those that are shown begin the record.
  const begin = rows[0]?.day;
  const issuedOn = (day: string) =>
    keys.reduce((sum, key) => (key.day === day && key.appId !== SANDBOX ? sum + key.issued : sum), 0);

  return {
    now: at,
    days: Array.from({ length: DAYS }, (_, nth) => {
      const day = firstDay(DAYS - nth, at);
      if (begin === undefined || day < begin) return { day, up: 0, of: 0 };

      const { firstMinute = 0, lastMinute = -1, minutes = 0 } = rows.find((row) => row.day === day) ?? {};
      // Of today only what has passed. The present minute counts once it is noted.
      const end = day === utcDay(at) ? minuteOfDay(at) + (lastMinute >= minuteOfDay(at) ? 1 : 0) : DAY_MINUTES;
      const of = Math.max(0, day === begin ? end - firstMinute : end);
      return { day, up: Math.min(minutes, of), of };
    }),
    keys: { today: issuedOn(utcDay(at)), yesterday: issuedOn(yesterday) },
    usualRunMs: app?.usualRunMs ?? undefined,
    advertisers: ADVERTISER_IDS.filter((id) => id !== SANDBOX).flatMap((id) => {
      const known = terms.find((row) => row.id === id);
      return known ? { id, ok: advertisers.present(known).ok } : [];
    }),
  };
}
