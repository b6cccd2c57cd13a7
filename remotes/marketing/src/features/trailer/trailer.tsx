import { VideoPoster } from '@app/brand-ui/video-poster';
import { SHORT_VIDEO, TRAILER } from '@app/contracts/brand';
import { toEmbedUrl, toTikTokEmbedUrl, VideoFacade } from '@app/design-system/video-facade';
import { useVideoLink } from '@app/platform';
import { Still } from '../../art/art.tsx';

interface TrailerProps {
  title: string;
  app: 'v5' | 'neo' | 'v3';
  /** The frame on the poster, where it is not the one of the app. */
  still?: 'redeem';
}

export function Trailer({ title, app, still }: TrailerProps) {
  const link = useVideoLink(TRAILER, toEmbedUrl);

  return (
    <VideoFacade link={link} title={title}>
      <VideoPoster variant={app}>
        <Still of={still ?? app} />
      </VideoPoster>
    </VideoFacade>
  );
}

export function ShortClip({ title, app }: TrailerProps) {
  const link = useVideoLink(SHORT_VIDEO, toTikTokEmbedUrl);

  return (
    <VideoFacade kind="short" link={link} title={title}>
      <VideoPoster variant={app} kind="short">
        <Still of="short" />
      </VideoPoster>
    </VideoFacade>
  );
}
