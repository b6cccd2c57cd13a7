/**
 * Every name, slug and outbound link of the product stands here and nowhere else.
 * The `.example` hosts are placeholders that an operator replaces before going live.
 */

/** Stands before each document title, and alone where no label applies. */
export const TEAM_PREFIX = 'Arceus Team';

export const PRODUCT = { slug: 'arceusx', label: 'Arceus X' } as const;

export const COMPANION = { slug: 'rosaverx', label: 'RosaverX' } as const;

/** Who speaks as the AI assistant of V5. */
export const ASSISTANT = 'Arceus Intelligence';

/** The word in an address that turns the accent green. */
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

/** A video whose link an operator changes without a deploy. */
export interface VideoSource {
  /** The content file that holds the link. */
  file: string;
  /** Plays until the operator's own link is there. */
  fallback: string;
}

/** A video of YouTube. */
export const TRAILER: VideoSource = { file: 'video.txt', fallback: 'https://youtu.be/DemoVideo01' };

/** A video of TikTok. */
export const SHORT_VIDEO: VideoSource = {
  file: 'short.txt',
  fallback: 'https://www.tiktok.com/@arceusx/video/7000000000000000001',
};
