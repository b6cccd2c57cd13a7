import visuallyHidden from '@app/design-system/visually-hidden.module.css';
import { useEffect, useRef, useState } from 'react';
import { EnterScreen, Transition } from '../features/founder/enter-screen.tsx';
import { Profile } from '../features/founder/profile.tsx';
import { openPlayer, type Player } from '../features/music/player.ts';
import { SongPanel } from '../features/music/song-panel.tsx';
import { pickSong, type Song } from '../features/music/songs.ts';
import { t } from '../words.ts';
import css from './portfolio-page.module.css';

const TRANSITION_MS = 4000;

/** The music starts after the click. */
export function PortfolioPage() {
  const [stage, setStage] = useState<'enter' | 'transition' | 'profile'>('enter');
  const [player, setPlayer] = useState<Player>();
  const [song, setSong] = useState<Song>();
  const [isSilent, setIsSilent] = useState(false);
  const room = useRef<HTMLDivElement>(null);

  useEffect(() => () => player?.close(), [player]);

  useEffect(() => {
    if (stage === 'enter') return;

    // The button of the first screen had the focus and is gone, so the focus moves to the new screen, and to its top.
    room.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
    if (stage === 'profile') return;

    const timer = setTimeout(() => setStage('profile'), TRANSITION_MS);
    return () => clearTimeout(timer);
  }, [stage]);

  function onEnter(withMusic: boolean) {
    setPlayer(openPlayer());
    setIsSilent(!withMusic);
    setSong(pickSong(Math.random));
    setStage('transition');
  }

  return (
    <main id="content" className={css.page} data-stage={stage}>
      <h1 className={stage === 'transition' ? visuallyHidden.hidden : css.heading}>{t('portfolio.heading')}</h1>
      {/* Each screen is a node of its own: one that is reused would jump to the place of the next. */}
      <div key={stage} ref={room} className={css.screen} tabIndex={-1}>
        {stage === 'enter' && <EnterScreen onEnter={onEnter} />}
        {stage === 'transition' && <Transition />}
        {stage === 'profile' && (
          <Profile music={song && <SongPanel song={song} player={player} startsMuted={isSilent} />} />
        )}
      </div>
      <span className={css.stars} aria-hidden="true" />
    </main>
  );
}
