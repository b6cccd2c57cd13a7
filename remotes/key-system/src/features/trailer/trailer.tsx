import { lazyPart } from '@app/brand-ui/late';
import { VideoPoster } from '@app/brand-ui/video-poster';
import { TRAILER } from '@app/contracts/brand';
import { toEmbedUrl, VideoFacade } from '@app/design-system/video-facade';
import { useVideoLink } from '@app/platform';
import { t } from '../../words.ts';

const NeoStill = lazyPart(async () => (await import(/* webpackChunkName: "drawings" */ './neo-still.tsx')).NeoStill);

/** The trailer behind its poster. Operators change the video without a deploy. */
export function Trailer() {
  const link = useVideoLink(TRAILER, toEmbedUrl);

  return (
    <VideoFacade link={link} title={t('trailer.title')}>
      <VideoPoster variant="neo">
        <NeoStill />
      </VideoPoster>
    </VideoFacade>
  );
}
