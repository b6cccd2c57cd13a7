import { RUN_KEY, runKeyTeeth } from '@app/contracts/run-key-shape';
import css from './error-boundary.module.css';

const TEETH = runKeyTeeth(6)
  .map(({ tooth }) => tooth)
  .join('');

/** The edge where the key breaks, from above. */
const BROKEN_EDGE_PATH = 'H199V9l-6 4 7 4-9 5';

export function ErrorPicture() {
  const key = (
    <>
      <path d={RUN_KEY.body} />
      <path className={css.teeth} d={TEETH} />
    </>
  );

  return (
    <>
      <clipPath id="key-begin">
        <path d={`M0-9${BROKEN_EDGE_PATH}V49H0z`} />
      </clipPath>
      <clipPath id="key-end">
        <path d={`M328-9${BROKEN_EDGE_PATH}V49H328z`} />
      </clipPath>
      <g clipPath="url(#key-begin)" transform="rotate(5 196 15)">
        {key}
      </g>
      <g clipPath="url(#key-end)" transform="translate(8 12) rotate(-16 200 15)">
        {key}
      </g>
    </>
  );
}
