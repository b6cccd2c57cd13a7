/** The drawing of a run as a key, on a grid of 328 × 40. It is data, so that pages and drawn pictures show the same key. */
export const RUN_KEY = {
  width: 328,
  height: 40,
  /** The bow with its hole, the collar and the blade. Holes are cut out by the rule `evenodd`. */
  body: 'M20 2a18 18 0 0 1 17 12h2V9.5a2.5 2.5 0 0 1 5 0V10h266l16 6-11 5H44v9.5a2.5 2.5 0 0 1-5 0V26h-2A18 18 0 1 1 20 2Zm-4 12a6 6 0 1 0 0 12 6 6 0 0 0 0-12Z',
  /** Lines that are engraved into it. */
  lines: 'M22 8.500a11.700 11.700 0 0 1 0 23M52 14h252',
} as const;

/** The teeth hang from the blade between these two edges. */
const LEFT = 54;
const RIGHT = 311;
const TOP = 21;

/** How deep a key that is not cut yet reaches, measured from the blade. */
const STOCK = 15;

const GAP = 3;
const SERIES_GAP = 10;
const STEPS_PER_SERIES = 3;

/** The width of a slope between two cuts of different depth. */
const SLOPE = 4;

/** The depths of the cuts from the bow to the tip. All teeth of a key share them. */
const CUTS = [13, 8, 6, 14, 10, 7, 8, 14, 12, 6, 7, 11];

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
  const width = (RIGHT - LEFT - gapsBefore(of - 1)) / of;
  const cutsOfEach = Math.max(1, Math.floor(CUTS.length / of));

  return Array.from({ length: of }, (_, step) => {
    const x = LEFT + step * width + gapsBefore(step);
    const cuts = CUTS.slice(step * cutsOfEach, (step + 1) * cutsOfEach);
    const edge = cuts.map((depth, index) => {
      const from = x + (index * width) / cuts.length + SLOPE / 2;
      const to = x + ((index + 1) * width) / cuts.length - SLOPE / 2;
      return `L${round(from)} ${TOP + depth}H${round(to)}`;
    });

    return {
      tooth: `M${round(x)} ${TOP}${edge.join('')}L${round(x + width)} ${TOP}Z`,
      stock: `M${round(x)} ${TOP}v${STOCK}h${round(width)}v-${STOCK}Z`,
      from: { x: round(x), y: TOP + STOCK - 4 },
    };
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
