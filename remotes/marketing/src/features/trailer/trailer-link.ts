import { toEmbedUrl } from '@app/design-system/video-facade';
import { fetchContent } from '../../content/fetch-content.ts';

/** Plays until the operator's own link is there. */
export const DEFAULT_TRAILER = 'https://youtu.be/DemoVideo01';

/** The link of the trailer; a failure is logged and leaves the default. */
export async function fetchTrailerLink(): Promise<string> {
  try {
    return readTrailerLink(await fetchContent('video.txt'));
  } catch (error) {
    // Nothing on the page says it: this line is the only trace.
    // eslint-disable-next-line no-console
    console.log('Failed to load the video link', error);
    return DEFAULT_TRAILER;
  }
}

/** @throws when the text is no link to a video */
export function readTrailerLink(text: string): string {
  const link = text.trim();
  if (!toEmbedUrl(link)) throw new Error('No link to a video');

  return link;
}
