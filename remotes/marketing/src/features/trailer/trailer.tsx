import { VideoFacade } from '@app/design-system/video-facade';
import { VideoPoster } from '@app/design-system/video-poster';
import type { ReactNode } from 'react';
import { useLoaded } from '../../use-loaded.ts';
import { DEFAULT_TRAILER, fetchTrailerLink } from './trailer-link.ts';

interface TrailerProps {
  title: string;
  app: 'v5' | 'neo' | 'v3';
  /** The app's screen, on the poster. */
  screen: ReactNode;
}

/** The trailer behind its poster. The operator changes the video without a deploy. */
export function Trailer({ title, app, screen }: TrailerProps) {
  const link = useLoaded(fetchTrailerLink, DEFAULT_TRAILER);

  return (
    <VideoFacade link={link} title={title}>
      <VideoPoster variant={app}>{screen}</VideoPoster>
    </VideoFacade>
  );
}
