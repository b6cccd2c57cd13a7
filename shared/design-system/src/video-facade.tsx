import { useEffect, useRef, useState, type ReactNode } from 'react';
import { GlowFrame } from './glow-frame.tsx';
import { Icon } from './icon.tsx';
import { toEmbedUrl, toTikTokEmbedUrl, toVideoLength } from './video-link.ts';
import css from './video-facade.module.css';
import { t } from './words.ts';

export { toEmbedUrl, toTikTokEmbedUrl };

interface VideoFacadeProps {
  /** A link to a YouTube or TikTok video, which may end with its length: `…#1:24`. With any other, only the poster is shown. */
  link: string;
  /** The title of the video. The poster shows it, and button and player are named by it. */
  title: string;
  /** `short` for a TikTok video in portrait format. */
  kind?: 'wide' | 'short';
  /** The poster: any drawing or picture. */
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
          {isWanted && src ? (
            <Player src={src} title={title} />
          ) : (
            <>
              <div className={css.poster}>{children}</div>
              {src && (
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
                  <span className={css.words}>
                    <span className={css.title}>{title}</span> {length && <span className={css.length}>{length}</span>}
                  </span>
                </a>
              )}
            </>
          )}
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
