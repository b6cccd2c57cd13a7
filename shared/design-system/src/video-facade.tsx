import { type ReactNode, useEffect, useRef, useState } from 'react';
import { GlowFrame } from './glow-frame.tsx';
import { Icon } from './icon.tsx';
import css from './video-facade.module.css';
import { t } from './words.ts';

interface VideoFacadeProps {
  /** A link to a YouTube or TikTok video, which may end with its length: `…#1:24`. With any other, only the poster is shown. */
  link: string;
  /** The title of the video. The poster shows it, and button and player are named by it. */
  title: string;
  /** `short` for a TikTok video in portrait format. */
  kind?: 'wide' | 'short';
  children: ReactNode;
}

/** A poster that plays. The player loads only after a click on it; before the page works, it leads to the video. */
export function VideoFacade({ link, title, kind = 'wide', children }: VideoFacadeProps) {
  const [isWanted, setIsWanted] = useState(false);
  const src = kind === 'short' ? toTikTokEmbedUrl(link) : toEmbedUrl(link);
  const length = toVideoLength(link);

  return (
    <figure className={css.facade} data-kind={kind}>
      <GlowFrame>
        <div className={css.screen}>
          <div className={css.poster}>{children}</div>
          {src &&
            (isWanted ? (
              <Player src={src} title={title} />
            ) : (
              <a
                className={css.play}
                href={link}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={t('video.play', { title: length ? `${title} ${length}` : title })}
                onClick={(event) => {
                  event.preventDefault();
                  setIsWanted(true);
                }}
              >
                <span className={css.disc}>
                  <Icon name="play" size={26} />
                </span>
                <span className={css.caption}>
                  <span className={css.title}>{title}</span> {length && <span className={css.length}>{length}</span>}
                </span>
              </a>
            ))}
        </div>
      </GlowFrame>
    </figure>
  );
}

function Player({ src, title }: { src: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);

  // The play button is gone, so the player takes the focus.
  useEffect(() => frame.current?.focus(), []);

  return (
    <iframe
      ref={frame}
      className={css.player}
      src={src}
      title={title}
      referrerPolicy="strict-origin-when-cross-origin"
      allow="autoplay; encrypted-media; picture-in-picture"
      allowFullScreen
    />
  );
}

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
 * The address of the player for a link to a YouTube video: a short, watch, embed or shorts link. The player has a
 * transparent background, little branding, and suggests no videos of other channels.
 * @returns undefined for every other link, so that the page never embeds another site
 */
export function toEmbedUrl(link: string): string | undefined {
  const url = parseWebLink(link);
  const id = url && youtubeIdOf(url);
  if (!id || !YOUTUBE_ID.test(id)) return undefined;

  return `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&wmode=transparent&rel=0&modestbranding=1`;
}

/** The same for a link to a TikTok video: `…/@who/video/<id>`, or a link of TikTok's player. */
export function toTikTokEmbedUrl(link: string): string | undefined {
  const url = parseWebLink(link);
  if (!url || !TIKTOK_HOSTS.has(url.hostname)) return undefined;

  const [, id] = /^\/(?:@[\w.-]+\/video|embed(?:\/v2)?|player\/v1)\/([^/]+)\/?$/.exec(url.pathname) ?? [];
  if (!id || !TIKTOK_ID.test(id)) return undefined;

  return `https://www.tiktok.com/player/v1/${id}?autoplay=1&rel=0`;
}

/** The length of a video that its link tells at its end: `https://youtu.be/<id>#1:24`. */
export function toVideoLength(link: string): string | undefined {
  return /#(\d{1,2}:\d{2})$/.exec(link)?.[1];
}

function youtubeIdOf({ hostname, pathname, searchParams }: URL): string | undefined {
  if (hostname === 'youtu.be') return pathname.slice(1);
  if (!YOUTUBE_HOSTS.has(hostname)) return undefined;
  if (pathname === '/watch') return searchParams.get('v') ?? undefined;

  return /^\/(?:embed|shorts)\/([^/]+)\/?$/.exec(pathname)?.[1];
}

/** Parses a link with http or https. A `javascript:` link may also seem to have one of the allowed hosts. */
function parseWebLink(link: string): URL | undefined {
  const url = parse(link);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

function parse(link: string): URL | undefined {
  try {
    return new URL(link);
  } catch {
    return undefined;
  }
}
