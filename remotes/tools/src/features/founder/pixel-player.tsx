import css from './pixel-player.module.css';
import { pathsOf } from './pixels.ts';

/** The second frame of the drawing moves this down by a pixel. */
const BODY = pathsOf([
  '....pppppppppp....',
  '...phhhhhhhhhhp...',
  '...phhhhhhhhhhp...',
  '...phhshhshhhhp...',
  '..pphssssssssspp..',
  '..ppssssssssssqp..',
  '..ppssessssessqp..',
  '...pssmssssmssp...',
  '....sssmmmmsss....',
  '....dssssssssd....',
  '......dddddd......',
  '..cccccccccccccc..',
  '.cccbccctttccbccc.',
  '.cccbccctctccbccc.',
  '.cccbccctttccbccc.',
  '.cccbcccctcccbccc.',
  '.cccbccccttccbccc.',
  '.cccbbbbbbbbbbccc.',
  '.sss.llllllll.sss.',
]);

const LEGS = pathsOf([
  '.....llllllll.....',
  '.....llllllll.....',
  '.....lll..lll.....',
  '.....lll..lll.....',
  '.....lll..lll.....',
  '....ffff..ffff....',
]);

/** The blocky player of the games, with headphones and a key on the chest. It blinks and bobs in two frames. */
export function PixelPlayer({ size }: { size: 'small' | 'large' }) {
  return (
    <svg className={css.player} data-size={size} viewBox="0 0 18 25" shapeRendering="crispEdges" aria-hidden="true">
      <g transform="translate(0 18)">
        <Pixels paths={LEGS} />
      </g>
      <g className={css.body}>
        <Pixels paths={BODY} />
        <path className={css.awake} data-pixel="e" d="M6 5h1v1h-1zM11 5h1v1h-1z" />
      </g>
    </svg>
  );
}

function Pixels({ paths }: { paths: ReturnType<typeof pathsOf> }) {
  return paths.map(([letter, path]) => <path key={letter} data-pixel={letter} d={path} />);
}
