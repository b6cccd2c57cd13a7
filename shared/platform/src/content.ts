import type { VideoSource } from '@app/contracts/brand';
import { siteSettings } from './settings.ts';
import { useQuery } from './use-query.ts';

/**
 * Fetches a text that an operator changes without a deploy.
 * @param file its name, with a query where caches have to be passed
 * @throws Error when there is none
 */
export async function fetchContent(file: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(`${siteSettings().contentUrl}/${file}`, signal ? { signal } : {});
  if (!response.ok) throw new Error(`${file}: the server answered ${response.status}`);

  return response.text();
}

/**
 * The link of a video that an operator changes without a deploy. Until it is there, and when it cannot be had, the fallback.
 * @param embed gives the address of the player for a link that it plays, for any other text undefined
 */
export function useVideoLink({ file, fallback }: VideoSource, embed: (link: string) => string | undefined): string {
  const { data = fallback } = useQuery(file, async (signal) => readVideoLink(await fetchContent(file, signal), embed), {
    logFailureAs: 'Failed to load the video link',
  });
  return data;
}

/** @throws Error when the text is no link that can play */
export function readVideoLink(text: string, embed: (link: string) => string | undefined): string {
  const link = text.trim();
  if (!embed(link)) throw new Error('No link to a video');

  return link;
}
