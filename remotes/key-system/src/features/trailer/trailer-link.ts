import { toEmbedUrl } from '@app/design-system/video-facade';
import { logFailure, siteSettings } from '@app/platform';

/** Plays until the operator's own link is there. */
export const DEFAULT_TRAILER = 'https://youtu.be/DemoVideo01';

/** The link of the trailer; a failure is logged and leaves the default. */
export async function fetchTrailerLink(): Promise<string> {
  try {
    const response = await fetch(`${siteSettings().contentUrl}/video.txt`);
    const link = (await response.text()).trim();
    if (!response.ok || !toEmbedUrl(link)) throw new Error('No link to a video');

    return link;
  } catch (error) {
    logFailure('Failed to load the video link', error);
    return DEFAULT_TRAILER;
  }
}
