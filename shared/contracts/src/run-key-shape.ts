/** The drawing of a run as a key, on a grid of 328 × 40. It is data, so that pages and drawn pictures show the same key. */
export const RUN_KEY = {
  width: 328,
  height: 40,
  /** The bow with its hole, the neck and the blade. Holes are cut out by the rule `evenodd`. */
  body: 'M20 1h24c8 0 11 2 13 5h258a9 9 0 0 1 0 18H74v6a4 4 0 0 1-4 4H57c-2 3-6 5-13 5H20a19 19 0 0 1 0-38Zm0 10a9 9 0 0 0 0 18h5a9 9 0 0 0 0-18Z',
  /** Lines that are engraved into it. */
  lines: 'M46 8q8 3 8 12t-8 12M80 12h226',
} as const;

/** Where the last tooth ends; what is between the neck and the first one is plain. */
const RIGHT = 308;
const WIDTH = 34;

/** A tooth reaches up into the blade. */
const TOP = 18;
const BLADE = 6;

/** How deep a key that is not cut yet reaches. */
const STOCK = 18;

const GAP = 3;
const SERIES_GAP = 10;
const STEPS_PER_SERIES = 3;

/** The width of a slope between two cuts of different depth. */
const SLOPE = 4;

/** The depths of the cuts from the bow to the tip. All teeth of a key share them. */
const CUTS = [15, 10, 9, 17, 12, 9, 10, 17, 15, 8, 10, 16];
const CUTS_OF_EACH = 2;

export interface RunKeyTooth {
  /** The tooth as it is cut. */
  tooth: string;
  /** The block that it is cut out of. */
  stock: string;
  /** Where the cut begins. */
  from: { x: number; y: number };
}

/**
 * The teeth of a key, from the bow to the tip: one for each step, and a wider gap between two series.
 * @param of how many steps the run takes
 */
export function runKeyTeeth(of: number): RunKeyTooth[] {
  const gapsBefore = (step: number) => {
    const series = Math.floor(step / STEPS_PER_SERIES);
    return series * SERIES_GAP + (step - series) * GAP;
  };
  const left = RIGHT - of * WIDTH - gapsBefore(of - 1);

  return Array.from({ length: of }, (_, step) => {
    const x = left + step * WIDTH + gapsBefore(step);
    const cuts = CUTS.slice(step * CUTS_OF_EACH, (step + 1) * CUTS_OF_EACH);
    const edge = cuts.map((depth, index) => {
      const from = x + (index * WIDTH) / CUTS_OF_EACH + SLOPE / 2;
      const to = x + ((index + 1) * WIDTH) / CUTS_OF_EACH - SLOPE / 2;
      return `L${from} ${TOP + depth}H${to}`;
    });

    return {
      tooth: `M${x} ${TOP}v${BLADE}${edge.join('')}L${x + WIDTH} ${TOP + BLADE}V${TOP}Z`,
      stock: `M${x} ${TOP}v${STOCK}h${WIDTH}v-${STOCK}Z`,
      from: { x, y: TOP + STOCK - 4 },
    };
  });
}
