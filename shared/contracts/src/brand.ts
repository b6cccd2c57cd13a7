/*
 * All names, slugs and outbound links of the product. No other file contains one.
 * The `.example` hosts are placeholders. Replace them before going live.
 */

/** The first part of each document title. It is the whole title when a page has no label. */
export const TEAM_PREFIX = 'Arceus Team';

export const PRODUCT = { slug: 'arceusx', label: 'Arceus X' } as const;

export const COMPANION = { slug: 'rosaverx', label: 'RosaverX' } as const;

export const ASSISTANT = 'Arceus Intelligence';

/** A page whose address contains this word has a green accent. */
export const GREEN_VARIANT_WORD = 'evergreen';

/** The community's places on other sites, under the names that people know them by. */
export const COMMUNITY_LINKS = [
  { id: 'discord', label: 'Discord', href: 'https://chat.arceusx.example/invite' },
  { id: 'youtube', label: 'YouTube', href: 'https://video.arceusx.example/@arceusx' },
  { id: 'tiktok', label: 'TikTok', href: 'https://shorts.arceusx.example/@arceusx' },
  { id: 'instagram', label: 'Instagram', href: 'https://photos.arceusx.example/arceusx' },
  { id: 'x', label: 'X', href: 'https://micro.arceusx.example/arceusx' },
  { id: 'github', label: 'GitHub', href: 'https://code.arceusx.example/arceusx' },
] as const;

/** A video whose link operators change without a deploy. */
export interface VideoSource {
  /** The content file that holds the link. The link may end with the length of the video: `…#1:24`. */
  file: string;
  /** The link of the video that plays until the content file is loaded. */
  fallback: string;
}

export const TRAILER: VideoSource = { file: 'video.txt', fallback: 'https://youtu.be/DemoVideo01#1:24' };

export const SHORT_VIDEO: VideoSource = {
  file: 'short.txt',
  fallback: 'https://www.tiktok.com/@arceusx/video/7000000000000000001#0:31',
};
