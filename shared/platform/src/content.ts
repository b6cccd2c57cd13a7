import type { VideoSource } from '@app/contracts/brand';
import { fetchInTime } from './fetch-in-time.ts';
import { siteSettings } from './settings.ts';
import { useQuery } from './use-query.ts';

/**
 * Fetches a content file: a text that operators change without a deploy.
 * @param file its name; may have a query, to bypass caches
 * @throws Error when the server has no such file
 */
export async function fetchContent(file: string, signal?: AbortSignal): Promise<string> {
  return fetchInTime(`${siteSettings().contentUrl}/${file}`, signal ? { signal } : {}, (response) => {
    if (!response.ok) throw new Error(`${file}: the server answered ${response.status}`);

    return response.text();
  });
}

/**
 * The link of a video that operators change without a deploy. The fallback while it loads, and when it cannot be
 * loaded.
 * @param embed gives the address of the player for a link that can be embedded, undefined for any other text
 */
export function useVideoLink({ file, fallback }: VideoSource, embed: (link: string) => string | undefined): string {
  const { data = fallback } = useQuery(file, async (signal) => readVideoLink(await fetchContent(file, signal), embed), {
    logFailureAs: 'Failed to load the video link',
  });
  return data;
}

export function readVideoLink(text: string, embed: (link: string) => string | undefined): string {
  const link = text.trim();
  if (!embed(link)) throw new Error('No link to a video');

  return link;
}
