import { useEffect, useState } from 'react';
import { openPlayer, type Player } from './player.ts';

/** The player of a page. Call `open` in the handler of a click; it closes when the page unmounts. */
export function usePlayer(): { player: Player | undefined; open: () => void } {
  const [player, setPlayer] = useState<Player>();

  useEffect(() => () => player?.close(), [player]);

  return { player, open: () => setPlayer(openPlayer()) };
}
