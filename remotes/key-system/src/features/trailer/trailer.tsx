import { NeoScreen } from '@app/brand-ui/device/neo-screen';
import { VideoPoster } from '@app/brand-ui/video-poster';
import { VideoFacade } from '@app/design-system/video-facade';
import { useEffect, useState } from 'react';
import { t } from '../../words.ts';
import { DEFAULT_TRAILER, fetchTrailerLink } from './trailer-link.ts';

/** The trailer behind its poster. The operator changes the video without a deploy. */
export function Trailer() {
  const [link, setLink] = useState(DEFAULT_TRAILER);

  useEffect(() => {
    let isGone = false;
    void fetchTrailerLink().then((found) => {
      if (!isGone) setLink(found);
    });
    return () => {
      isGone = true;
    };
  }, []);

  return (
    <VideoFacade link={link} title={t('trailer.title')}>
      <VideoPoster variant="neo">
        <NeoScreen />
      </VideoPoster>
    </VideoFacade>
  );
}
