import { useEffect, useRef, useState } from 'react';
import { EnterScreen } from '../features/founder/enter-screen.tsx';
import { Profile } from '../features/founder/profile.tsx';
import { Transition } from '../features/founder/transition.tsx';
import { useStage } from '../features/founder/use-stage.ts';
import { SongPanel } from '../features/music/song-panel.tsx';
import { pickSong, type Song } from '../features/music/songs.ts';
import { usePlayer } from '../features/music/use-player.ts';
import { t } from '../words.ts';
import css from './portfolio-page.module.css';

/**
 * The founder's portfolio: a first screen, a transition, and the profile with a song. The music starts after the click.
 */
export function PortfolioPage() {
  const { stage, entered } = useStage();
  const { player, open } = usePlayer();
  const [song, setSong] = useState<Song>();
  const [isSilent, setIsSilent] = useState(false);
  const room = useRef<HTMLDivElement>(null);

  // The button of the first screen had the focus and is gone, so the focus moves to the new screen, and to its top.
  useEffect(() => {
    if (stage === 'enter') return;

    room.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, [stage]);

  function onEnter(withMusic: boolean) {
    open();
    setIsSilent(!withMusic);
    setSong(pickSong(Math.random));
    entered();
  }

  return (
    <main id="content" className={css.page} data-stage={stage}>
      <h1 className={css.heading}>{t('portfolio.heading')}</h1>
      {/* Each screen is a node of its own: one that is reused would jump to the place of the next. */}
      <div key={stage} ref={room} className={css.room} tabIndex={-1}>
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
