import { useEffect, useState } from 'react';
import { openPlayer, type Player } from './player.ts';

/** The player of a page: opened by a click, closed when the page is left. */
export function usePlayer(): { player: Player | undefined; open: () => void } {
  const [player, setPlayer] = useState<Player>();

  useEffect(() => () => player?.close(), [player]);

  return { player, open: () => setPlayer(openPlayer()) };
}
