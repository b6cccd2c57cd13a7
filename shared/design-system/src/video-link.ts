const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
]);
const TIKTOK_HOSTS = new Set(['tiktok.com', 'www.tiktok.com', 'm.tiktok.com']);

const YOUTUBE_ID = /^[\w-]{11}$/;
const TIKTOK_ID = /^\d{15,20}$/;

/**
 * The address of the player for a link to a YouTube video, as people copy it: short, watch, embed or shorts.
 * The player is transparent, names no other videos and says little of its maker.
 * @returns undefined for every other link, so that no other site is ever framed
 */
export function toEmbedUrl(link: string): string | undefined {
  const url = parseWebLink(link);
  const id = url && youtubeIdOf(url);
  if (!id || !YOUTUBE_ID.test(id)) return undefined;

  return `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&wmode=transparent&rel=0&modestbranding=1`;
}

/** The same for a short video of TikTok, `…/@who/video/<id>` or a link of its player. */
export function toTikTokEmbedUrl(link: string): string | undefined {
  const url = parseWebLink(link);
  if (!url || !TIKTOK_HOSTS.has(url.hostname)) return undefined;

  const [, id] = /^\/(?:@[\w.-]+\/video|embed(?:\/v2)?|player\/v1)\/([^/]+)\/?$/.exec(url.pathname) ?? [];
  if (!id || !TIKTOK_ID.test(id)) return undefined;

  return `https://www.tiktok.com/player/v1/${id}?autoplay=1&rel=0`;
}

function youtubeIdOf({ hostname, pathname, searchParams }: URL): string | undefined {
  if (hostname === 'youtu.be') return pathname.slice(1);
  if (!YOUTUBE_HOSTS.has(hostname)) return undefined;
  if (pathname === '/watch') return searchParams.get('v') ?? undefined;

  return /^\/(?:embed|shorts)\/([^/]+)\/?$/.exec(pathname)?.[1];
}

/** Only links of the web: a `javascript:` link has a host of its own making. */
function parseWebLink(link: string): URL | undefined {
  if (!URL.canParse(link)) return undefined;

  const url = new URL(link);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}
