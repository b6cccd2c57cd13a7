import { toEmbedUrl, toTikTokEmbedUrl } from '@app/design-system/video-facade';
import { logFailure } from '@app/platform';
import { fetchContent } from '../../content/fetch-content.ts';

/** A video that the operator changes without a deploy. */
export interface VideoSource {
  /** The text that has the link. */
  file: string;
  /** Plays until the operator's own link is there. */
  fallback: string;
  /** Knows the links that can play. */
  embed: (link: string) => string | undefined;
}

export const TRAILER: VideoSource = { file: 'video.txt', fallback: 'https://youtu.be/DemoVideo01', embed: toEmbedUrl };

export const SHORT: VideoSource = {
  file: 'short.txt',
  fallback: 'https://www.tiktok.com/@arceusx/video/7000000000000000001',
  embed: toTikTokEmbedUrl,
};

/** The link of a video; a failure is logged and leaves the fallback. */
export async function fetchVideoLink(source: VideoSource): Promise<string> {
  try {
    return readVideoLink(await fetchContent(source.file), source);
  } catch (error) {
    logFailure('Failed to load the video link', error);
    return source.fallback;
  }
}

/** @throws when the text is no link to a video that the source can play */
export function readVideoLink(text: string, { embed }: VideoSource): string {
  const link = text.trim();
  if (!embed(link)) throw new Error('No link to a video');

  return link;
}
