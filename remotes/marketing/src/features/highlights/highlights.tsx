import { PAGES } from '@app/contracts/pages';
import { CountUp } from '@app/design-system/count-up';
import { Stat, StatRow } from '@app/design-system/stat';
import { fetchContent, fetchInTime, Link, siteSettings, useQuery } from '@app/platform';
import { t } from '../../words.ts';

export function V5Highlights() {
  const { v5Users } = useUserCounts();

  return (
    <StatRow>
      <Stat label={t('highlights.community')}>
        <CountUp value={500} durationMs={1200} suffix="k+" />
      </Stat>
      <Stat label={t('highlights.v5Users')}>
        <CountUp value={v5Users ?? 0} durationMs={900} suffix="+" />
      </Stat>
      <Stat label={t('highlights.v5Rating')}>{t('choose.v5.evidence')}</Stat>
      <Uptime />
    </StatRow>
  );
}

export function NeoHighlights() {
  const { neoKeys } = useUserCounts();

  return (
    <StatRow>
      <Stat label={t('highlights.neoDownloads')}>
        <CountUp value={4} durationMs={1200} suffix="M+" />
      </Stat>
      <Stat label={t('highlights.neoKeys')}>
        {neoKeys === undefined ? '–' : <CountUp {...abbreviateCount(neoKeys)} durationMs={1200} />}
      </Stat>
      <Stat label={t('highlights.neoRating')}>{t('choose.neo.evidence')}</Stat>
      <Uptime />
    </StatRow>
  );
}

/** The claim leads to the page that shows how it was. */
function Uptime() {
  return <Stat label={<Link to={PAGES.status}>{t('highlights.uptime')}</Link>}>{t('highlights.uptime.value')}</Stat>;
}

interface UserCounts {
  v5Users: number | undefined;
  neoKeys: number | undefined;
}

const DEFAULT_COUNTS: UserCounts = { v5Users: 1000, neoKeys: undefined };

/** The numbers of users and keys, from a content file that operators change. */
function useUserCounts(): UserCounts {
  const { data = DEFAULT_COUNTS } = useQuery('users.txt', async (signal) =>
    readUserCounts(await fetchFreshContent('users.txt', signal)),
  );
  return data;
}

/** Reads the two lines of the file: users of V5, completed keys of NEO. A line without a number gives the default. */
export function readUserCounts(text: string): UserCounts {
  const [v5Users, neoKeys] = text.split('\n').map(readCount);

  return { v5Users: v5Users ?? DEFAULT_COUNTS.v5Users, neoKeys: neoKeys ?? DEFAULT_COUNTS.neoKeys };
}

/**
 * Reads the digits of a line as a number. The text before a colon is a name and may contain digits: `V5 users: 1,000`.
 */
function readCount(line: string): number | undefined {
  const digits = line.slice(line.lastIndexOf(':') + 1).replaceAll(/\D/g, '');
  const count = Number(digits);

  return digits !== '' && Number.isFinite(count) ? count : undefined;
}

/**
 * The props of a `CountUp` that shows a number short, such as `4.2M`. Rounded down, so that it never claims too much.
 */
export function abbreviateCount(count: number): { value: number; decimals: number; suffix: string } {
  if (count < 1_000_000) return { value: count, decimals: 0, suffix: '' };

  return { value: Math.floor(count / 100_000) / 10, decimals: 1, suffix: 'M' };
}

/** Fetches a content file and bypasses all caches. When that fails, it tries the repository's contents API. */
async function fetchFreshContent(file: string, signal: AbortSignal): Promise<string> {
  try {
    return await fetchContent(`${file}?t=${Date.now()}`, signal);
  } catch {
    return fetchInTime(`${siteSettings().contentApiUrl}/${file}`, { signal }, async (response) => {
      if (!response.ok) throw new Error(`${file}: the contents API answered ${response.status}`);

      return textOfContents(await response.json());
    });
  }
}

/** Decodes the answer of a repository's contents API, `{content: base64}`. */
export function textOfContents(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('content' in body) || typeof body.content !== 'string') {
    throw new Error('No contents');
  }

  // Such APIs break base64 into lines. atob ignores white space.
  return new TextDecoder().decode(Uint8Array.from(atob(body.content), (character) => character.charCodeAt(0)));
}
