import { VideoPoster } from '@app/brand-ui/video-poster';
import { VideoFacade } from '@app/design-system/video-facade';
import type { ReactNode } from 'react';
import { useLoaded } from '../../use-loaded.ts';
import { fetchVideoLink, SHORT, TRAILER } from './video-source.ts';

interface TrailerProps {
  title: string;
  app: 'v5' | 'neo' | 'v3';
  /** The app's screen, on the poster. */
  screen: ReactNode;
}

const fetchTrailerLink = () => fetchVideoLink(TRAILER);
const fetchShortLink = () => fetchVideoLink(SHORT);

/** The trailer behind its poster. */
export function Trailer({ title, app, screen }: TrailerProps) {
  const link = useLoaded(fetchTrailerLink, TRAILER.fallback);

  return (
    <VideoFacade link={link} title={title}>
      <VideoPoster variant={app}>{screen}</VideoPoster>
    </VideoFacade>
  );
}

/** A short video, upright as on a phone, behind its poster. */
export function ShortClip({ title, app, screen }: TrailerProps) {
  const link = useLoaded(fetchShortLink, SHORT.fallback);

  return (
    <VideoFacade kind="short" link={link} title={title}>
      <VideoPoster variant={app} upright>
        {screen}
      </VideoPoster>
    </VideoFacade>
  );
}
