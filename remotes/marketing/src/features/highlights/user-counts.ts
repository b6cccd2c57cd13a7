import { useQuery } from '@app/platform';
import { fetchFreshContent } from '../../content/fetch-content.ts';

export interface UserCounts {
  v5Users: number | undefined;
  neoKeys: number | undefined;
}

/** What the pages say until the file is there, and where it cannot be had. */
const DEFAULT_COUNTS: UserCounts = { v5Users: 1000, neoKeys: undefined };

/** How many use the apps, as an operator tells it. */
export function useUserCounts(): UserCounts {
  const { data = DEFAULT_COUNTS } = useQuery('users.txt', async (signal) =>
    readUserCounts(await fetchFreshContent('users.txt', signal)),
  );
  return data;
}

/** Two lines: users of V5, then completed keys of NEO. A line that is no number changes nothing. */
export function readUserCounts(text: string): UserCounts {
  const [v5Users, neoKeys] = text.split('\n').map(readCount);

  return { v5Users: v5Users ?? DEFAULT_COUNTS.v5Users, neoKeys: neoKeys ?? DEFAULT_COUNTS.neoKeys };
}

/** The digits of a line. What stands before a colon names the line, and may have digits of its own (`V5 users: 1,000`). */
function readCount(line: string): number | undefined {
  const digits = line.slice(line.lastIndexOf(':') + 1).replaceAll(/\D/g, '');
  const count = Number(digits);

  return digits !== '' && Number.isFinite(count) ? count : undefined;
}

/** A large number as it fits a small box: `4.2M`. Rounded down, so that it never claims too much. */
export function inMillions(count: number): { value: number; decimals: number; suffix: string } {
  if (count < 1_000_000) return { value: count, decimals: 0, suffix: '' };

  return { value: Math.floor(count / 100_000) / 10, decimals: 1, suffix: 'M' };
}
