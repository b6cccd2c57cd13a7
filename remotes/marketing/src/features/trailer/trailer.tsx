import { VideoPoster } from '@app/brand-ui/video-poster';
import { SHORT_VIDEO, TRAILER } from '@app/contracts/brand';
import { toEmbedUrl, toTikTokEmbedUrl, VideoFacade } from '@app/design-system/video-facade';
import { useVideoLink } from '@app/platform';
import type { ReactNode } from 'react';

interface TrailerProps {
  title: string;
  app: 'v5' | 'neo' | 'v3';
  /** The screen of the app, for the poster. */
  screen: ReactNode;
}

/** The trailer behind its poster. */
export function Trailer({ title, app, screen }: TrailerProps) {
  const link = useVideoLink(TRAILER, toEmbedUrl);

  return (
    <VideoFacade link={link} title={title}>
      <VideoPoster variant={app}>{screen}</VideoPoster>
    </VideoFacade>
  );
}

/** A short video in portrait format, behind its poster. */
export function ShortClip({ title, app, screen }: TrailerProps) {
  const link = useVideoLink(SHORT_VIDEO, toTikTokEmbedUrl);

  return (
    <VideoFacade kind="short" link={link} title={title}>
      <VideoPoster variant={app} upright>
        {screen}
      </VideoPoster>
    </VideoFacade>
  );
}
