import { useQuery } from '@app/platform';
import { fetchFreshContent } from '../../content/fetch-content.ts';

export interface UserCounts {
  v5Users: number | undefined;
  neoKeys: number | undefined;
}

/** The counts until the file is loaded, and when it cannot be loaded. */
const DEFAULT_COUNTS: UserCounts = { v5Users: 1000, neoKeys: undefined };

/** The numbers of users and keys, from a content file that operators change. */
export function useUserCounts(): UserCounts {
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
export function inMillions(count: number): { value: number; decimals: number; suffix: string } {
  if (count < 1_000_000) return { value: count, decimals: 0, suffix: '' };

  return { value: Math.floor(count / 100_000) / 10, decimals: 1, suffix: 'M' };
}
